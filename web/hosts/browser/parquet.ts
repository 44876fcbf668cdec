/**
 * Parquet to Arrow in browsers.
 * @module
 */
import { tableFromIPC } from "apache-arrow";
import init, { readParquet } from "parquet-wasm/esm";
import type { DecodeParquet } from "../../engine/ports.ts";

/** More rows than a partition has: the engine takes its tables in one batch. */
const BATCH_ROWS = 1 << 20;

/** Starts the decoder from its wasm file: an address, or the response that carries it as `application/wasm`. */
export async function initParquet(wasm: string | URL | Response): Promise<DecodeParquet> {
  await init({ module_or_path: wasm });
  return (bytes, columns) => {
    const table = tableFromIPC(readParquet(bytes, { batchSize: BATCH_ROWS }).intoIPCStream());
    return columns ? table.select([...columns]) : table;
  };
}
