/** Parquet to Arrow by parquet-wasm. A reader never gives memory back: one that took too much or ran out is replaced. @module */
import { type Table, tableFromIPC } from "apache-arrow";
import { MAX_PARTITION_ROWS } from "../../../data/format/manifest.ts";

/** Most memory of a reader: the file, its rows and a copy of them, each as large as they may be. */
export const MAX_READER_BYTES = 1024 * 1024 * 1024;

/** What a reader may keep from one file to the next; partitions need some megabytes. */
const KEPT_READER_BYTES = 64 * 1024 * 1024;

export interface ParquetReader {
  readParquet(file: Uint8Array, options: { readonly batchSize: number }): { intoIPCStream(): Uint8Array };
  wasmMemory(): { readonly buffer: { readonly byteLength: number } };
}

/** A decoder whose readers `start` gives. A file that a used reader stops at is tried once more, with a new one. */
export function createDecoder(
  start: () => ParquetReader,
  { keptBytes = KEPT_READER_BYTES } = {},
): (file: Uint8Array) => Table {
  let reader: ParquetReader | undefined;

  return (file) => {
    for (;;) {
      const used = reader;
      const own = used ?? start();
      reader = own;
      try {
        // one batch: the engine takes its tables so
        const table = tableFromIPC(own.readParquet(file, { batchSize: MAX_PARTITION_ROWS }).intoIPCStream());
        if (own.wasmMemory().buffer.byteLength > keptBytes) reader = undefined;
        return table;
      } catch (cause) {
        if (!(cause instanceof WebAssembly.RuntimeError)) throw cause;
        reader = undefined;
        if (!used) throw new Error("the Parquet reader stopped, as it does when memory runs out", { cause });
      }
    }
  };
}
