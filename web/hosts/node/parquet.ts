/**
 * Parquet to Arrow in Node.
 * @module
 */
import { tableFromIPC } from "apache-arrow";
import { readParquet } from "parquet-wasm/node";
import type { DecodeParquet } from "../../engine/ports.ts";

/** More rows than a partition has: the engine takes its tables in one batch. */
const BATCH_ROWS = 1 << 20;

/** Decodes a Parquet file to a table of one record batch. */
export const decodeParquet: DecodeParquet = (bytes, columns) => {
  const table = tableFromIPC(readParquet(bytes, { batchSize: BATCH_ROWS }).intoIPCStream());
  return columns ? table.select([...columns]) : table;
};
