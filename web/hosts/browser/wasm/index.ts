export { initParquet } from "./parquet.ts";
export { warmUps, whileWaiting } from "./warm-up.ts";
export { removeOtherWasm, type WasmFile, withWasm } from "./wasm-files.ts";
