export { isQuotaError, KEEP_AFTER_MS, openCache } from "./cache-storage.ts";
