import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { compileFunction } from "node:vm";
import { capMemory, createDecoder, MAX_READER_BYTES, type ParquetReader } from "../parquet/index.ts";

export const decodeParquet = createDecoder(readerStarter(MAX_READER_BYTES));

/**
 * Returns a function that starts a Parquet reader with at most `maxBytes` of memory. The script of parquet-wasm starts one reader
 * only, so it is run again for each.
 */
export function readerStarter(maxBytes: number): () => ParquetReader {
  const require = createRequire(import.meta.url);
  let files: { readonly path: string; readonly script: string; readonly wasm: Uint8Array } | undefined;
  return () => {
    if (!files) {
      const path = require.resolve("parquet-wasm/node");
      const wasm = capMemory(readFileSync(join(dirname(path), "parquet_wasm_bg.wasm")), maxBytes);
      files = { path, script: readFileSync(path, "utf8"), wasm };
    }
    const { path, script, wasm } = files;
    const exports: Partial<ParquetReader> = {};
    const run = compileFunction(script, ["exports", "require", "__dirname"], { filename: path });
    run(exports, (name: string) => (name === "fs" ? { readFileSync: () => wasm } : require(name)), dirname(path));
    const { readParquet, wasmMemory } = exports;
    if (!readParquet || !wasmMemory) throw new Error(`${path} does not contain a Parquet reader`);
    return { readParquet, wasmMemory };
  };
}
