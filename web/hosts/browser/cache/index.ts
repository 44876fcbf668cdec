export { isQuotaError, KEEP_AFTER_MS, openCache } from "./cache-storage.ts";
export { removeOtherWasm, WASM_CACHE } from "./wasm-cache.ts";
