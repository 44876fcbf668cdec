export { loadParquetReader } from "./parquet-reader.ts";
export { type WasmFile, withWasm } from "./wasm-files.ts";
