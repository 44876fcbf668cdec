export { isQuotaError, KEEP_AFTER_MS, openCache } from "./cache-storage.ts";
export { fetchEarly, takeEarly, WASM_CACHE } from "./early-wasm.ts";
