export { loadParquetReader } from "./parquet-reader.ts";
export { removeOtherWasm, type WasmFile, withWasm } from "./wasm-files.ts";
