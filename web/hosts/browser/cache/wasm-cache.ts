import { openCache } from "./cache-storage.ts";

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
