export { loadParquetReader, startParquetReader } from "./parquet-reader.ts";
export { withWasm } from "./wasm-files.ts";
