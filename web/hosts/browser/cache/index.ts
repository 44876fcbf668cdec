/** The browser's Cache Storage, where there is one. Insecure origins and some private windows lack it. @module */

/** Delay before a response is stored, in milliseconds: storing blocks a thread, and most first answers are done by then. */
export const KEEP_AFTER_MS = 1000;

/** Opens a cache, or returns undefined where the browser has no cache. */
export async function openCache(name: string): Promise<Cache | undefined> {
  if (!("caches" in globalThis)) return undefined;
  return caches.open(name).catch(() => undefined);
}

/** Returns whether the cache exists, without creating it. True where the browser fails to say it; false without Cache Storage. */
export async function hasCache(name: string): Promise<boolean> {
  if (!("caches" in globalThis)) return false;
  try {
    return await caches.has(name);
  } catch {
    return true;
  }
}

/** Returns whether the error says that the storage of the origin is full. */
export function isQuotaError(error: unknown): boolean {
  return error instanceof Error && error.name === "QuotaExceededError";
}

export const WASM_CACHE = "cairn-wasm";

/** Deletes cached WebAssembly of other versions of this site's program. Keeps the given files. */
export async function removeOtherWasm(files: readonly { readonly path: string }[], base: URL): Promise<void> {
  const wanted = new Set(files.map(({ path }) => new URL(path, base).href));
  // a site in a subfolder has its own modules
  const own = new URL("assets/", base).href;
  const cache = await openCache(WASM_CACHE);
  for (const { url } of (await cache?.keys()) ?? []) {
    if (url.startsWith(own) && !wanted.has(url)) await cache?.delete(url);
  }
}
