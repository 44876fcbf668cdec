export { removeOtherWasm, type WasmFile, withWasm } from "./wasm-files.ts";
