/**
 * Cache Storage that may be full, deleted, or fail.
 * @module
 */

export type CacheOperation = "open" | "match" | "put" | "delete" | "keys";

export interface FaultyCaches {
  /** Replaces the global `caches`. */
  readonly storage: Pick<CacheStorage, "open">;
  readonly kept: Map<string, Uint8Array<ArrayBuffer>>;
  /** Called and awaited before each operation; may throw. */
  onOperation: (operation: CacheOperation) => unknown;
  damage(): void;
}

/** Returns empty Cache Storage. All names share one cache: dataset files need no more. */
export function faultyCaches(): FaultyCaches {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  const cache = {
    async match(url: string) {
      await caches.onOperation("match");
      const bytes = kept.get(url);
      return bytes && new Response(bytes);
    },
    async put(url: string, response: Response) {
      await caches.onOperation("put");
      kept.set(url, new Uint8Array(await response.arrayBuffer()));
    },
    async delete(url: string) {
      await caches.onOperation("delete");
      return kept.delete(url);
    },
    async keys() {
      await caches.onOperation("keys");
      return [...kept.keys()].map((url) => new Request(url));
    },
  };
  const caches: FaultyCaches = {
    storage: {
      async open() {
        await caches.onOperation("open");
        return cache as unknown as Cache;
      },
    },
    kept,
    onOperation: () => {},
    damage() {
      for (const bytes of kept.values()) bytes[0] = (bytes[0] ?? 0) ^ 1;
    },
  };
  return caches;
}

/** Fails an operation as the browser does. */
export function failing(operations: readonly string[], name: string): (operation: string) => void {
  return (operation) => {
    if (operations.includes(operation)) throw new DOMException(`${operation} refused`, name);
  };
}
