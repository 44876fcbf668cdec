/**
 * Cache Storage where there is one: insecure origins and some private windows have none.
 * @module
 */

/** The named cache, or undefined where the browser gives none. */
export async function openCache(name: string): Promise<Cache | undefined> {
  if (!("caches" in globalThis)) return undefined;
  return caches.open(name).catch(() => undefined);
}
