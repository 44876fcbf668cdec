/**
 * Compresses the WebAssembly modules at build time: static hosts limit files to 25 MB and not all of them compress.
 * DuckDB is 5.0 MB as .xz, 7.6 MB with gzip and 5.9 MB with brotli. The browser detects the format by the first
 * bytes.
 * @module
 */
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { capMemory, MAX_READER_BYTES } from "../hosts/parquet/index.ts";
import type { Recipe } from "./shipped-files.ts";

// A larger preset means a larger dictionary in the browser's memory: 8 MiB at 6, 64 MiB at 9.
const XZ_PRESET = 6;

/** Version of the recipe for `fast`. It differs from that of `small`, because both may be in the cache. */
const FAST_VERSION = 1002;

/** How well WebAssembly is compressed: `fast` for a page that is served here (1 s), `small` for a site (16 s). */
export type PageLevel = "fast" | "small";

/** The mode of Vite for a page of level `fast`. */
export const FAST_MODE = "fast";

/** Returns the recipes of the WebAssembly modules, compressed at this level. */
export function wasmFiles(level: PageLevel): readonly Recipe[] {
  const compressed = (key: string, name: string, input: string, change = (wasm: Uint8Array) => wasm): Recipe => ({
    key,
    name: `assets/${name}-[hash].wasm.z`,
    inputs: [input],
    version: level === "fast" ? FAST_VERSION : 2,
    make: ([wasm = new Uint8Array()]) => (level === "fast" ? compressFast : compress)(change(wasm)),
  });
  return [
    compressed("parquetWasm", "parquet", "node_modules/parquet-wasm/esm/parquet_wasm_bg.wasm", (wasm) =>
      capMemory(wasm, MAX_READER_BYTES),
    ),
    compressed("duckdbWasm", "duckdb", "node_modules/@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"),
  ];
}

function compressFast(bytes: Uint8Array): Promise<Uint8Array> {
  return promisify(gzip)(bytes, { level: constants.Z_BEST_SPEED });
}

/** Returns the bytes as xz if its optional native module is installed, otherwise as gzip. */
async function compress(bytes: Uint8Array): Promise<Uint8Array> {
  const xz = await import("node-liblzma").catch(() => undefined);
  if (xz) return xz.xzAsync(Buffer.from(bytes), { preset: XZ_PRESET });
  return promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });
}
