/** Cache Storage where there is one: insecure origins and some private windows have none. @module */

/** What came is kept so long after it: most first answers are given by then, and to put a file holds a thread up. */
export const KEEP_AFTER_MS = 1000;

export async function openCache(name: string): Promise<Cache | undefined> {
  if (!("caches" in globalThis)) return undefined;
  return caches.open(name).catch(() => undefined);
}

export function isQuotaError(error: unknown): boolean {
  return error instanceof Error && error.name === "QuotaExceededError";
}

export const WASM_CACHE = "cairn-wasm";

/** Forgets all modules of the site in this folder but the given: those of other versions of the program. */
export async function removeOtherWasm(files: readonly { readonly path: string }[], base: URL): Promise<void> {
  const wanted = new Set(files.map(({ path }) => new URL(path, base).href));
  // a site in a folder below has its own
  const own = new URL("assets/", base).href;
  const cache = await openCache(WASM_CACHE);
  for (const { url } of (await cache?.keys()) ?? []) {
    if (url.startsWith(own) && !wanted.has(url)) await cache?.delete(url);
  }
}
