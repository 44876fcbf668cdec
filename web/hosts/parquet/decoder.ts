/**
 * Decodes Parquet to Arrow with parquet-wasm. WebAssembly never frees memory: a reader that used too much or ran out
 * is replaced.
 * @module
 */
import { type Table, tableFromIPC } from "apache-arrow";
import { MAX_PARTITION_ROWS } from "../../../data/format/manifest.ts";

/** Maximum memory of a reader in bytes: the file, its rows and a copy of them, each at its maximum size. */
export const MAX_READER_BYTES = 1024 * 1024 * 1024;

/** Maximum memory that a reader may have between files, in bytes. Partitions need some megabytes. */
const KEPT_READER_BYTES = 64 * 1024 * 1024;

export interface ParquetReader {
  readParquet(file: Uint8Array, options: { readonly batchSize: number }): { intoIPCStream(): Uint8Array };
  wasmMemory(): { readonly buffer: { readonly byteLength: number } };
}

/**
 * Returns a decoder whose readers `start` starts. If a used reader fails on a file, tries once more with a new reader. The
 * decoder throws when memory runs out, and the reader's error for a damaged file.
 */
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
        // the engine expects tables of one batch
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
