export { loadParquetReader } from "./parquet-reader.ts";
export { withWasm } from "./wasm-files.ts";
