/**
 * Parquet to Arrow in browsers.
 * @module
 */
import { type Table, tableFromIPC } from "apache-arrow";
import init, { initSync, readParquet } from "parquet-wasm/esm";
import type { DecodeParquet } from "../../../engine/ports.ts";

/** More rows than a partition has: the engine takes its tables in one batch. */
const BATCH_ROWS = 1 << 20;

/**
 * Starts the decoder from its wasm file, a response that carries it as `application/wasm`.
 *
 * A decoder that ran out of memory stops where it stands and keeps what it held for ever. Its file is decoded once more
 * by a new one in its place, with all its memory; a second failure is the caller's, and yet another decoder the next's.
 */
export async function initParquet(wasm: Response): Promise<DecodeParquet> {
  const module = await WebAssembly.compileStreaming(wasm);
  await init({ module_or_path: module });
  return (bytes, columns) => {
    try {
      return decode(bytes, columns);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      initSync({ module });
    }
    try {
      return decode(bytes, columns);
    } catch (cause) {
      if (!(cause instanceof WebAssembly.RuntimeError)) throw cause;
      initSync({ module });
      throw new Error("the Parquet reader stopped, as it does when memory runs out", { cause });
    }
  };
}

function decode(bytes: Uint8Array, columns: readonly string[] | undefined): Table {
  const table = tableFromIPC(readParquet(bytes, { batchSize: BATCH_ROWS }).intoIPCStream());
  return columns ? table.select([...columns]) : table;
}
