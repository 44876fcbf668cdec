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
