/**
 * Cache Storage where there is one: insecure origins and some private windows have none.
 * @module
 */

/** What came is kept so long after it: most first answers are given by then, and to put a file holds a thread up. */
export const KEEP_AFTER_MS = 1000;

/** The named cache, or undefined where the browser gives none, or cannot open it now. */
export async function openCache(name: string): Promise<Cache | undefined> {
  if (!("caches" in globalThis)) return undefined;
  return caches.open(name).catch(() => undefined);
}

/** Whether there was no room for what was to be kept. */
export function isQuotaError(error: unknown): boolean {
  return error instanceof Error && error.name === "QuotaExceededError";
}
