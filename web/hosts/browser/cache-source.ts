/**
 * Files of the dataset kept in Cache Storage: the manifest as it was last seen, all others for good, since their names
 * carry their hash. Page worker and service worker share the cache.
 * @module
 */
import { MANIFEST_PATH } from "../../../data/format/paths.ts";
import { FetchError } from "../../engine/errors.ts";
import type { ByteSource, ReadOptions } from "../../engine/ports.ts";
import { openCache } from "./cache-storage.ts";

const CACHE = "cairn-dataset";

export interface CacheSourceOptions {
  /** Where files come from that the cache does not hold. */
  readonly inner: ByteSource;
  /** URL of the dataset's folder, ending in `/`; keys of the cache are below it. */
  readonly base: URL;
}

/** Reads through the cache. Only what came whole is kept; failures are not. */
export function cacheSource({ inner, base }: CacheSourceOptions): ByteSource {
  const keyOf = (path: string) => new URL(path, base).href;

  async function readManifest(path: string, options: ReadOptions): Promise<Uint8Array> {
    try {
      const bytes = await inner.read(path, options);
      keep(keyOf(path), bytes);
      return bytes;
    } catch (error) {
      // Without a status nothing answered: offline. A host that answers with an error is believed.
      const isOffline = error instanceof FetchError && error.status === undefined;
      const kept = isOffline && (await readKept(keyOf(path)));
      if (kept) return kept;
      throw error;
    }
  }

  return {
    name: inner.name,
    async read(path, options = {}) {
      if (path === MANIFEST_PATH) return readManifest(path, options);
      const kept = options.fresh ? undefined : await readKept(keyOf(path));
      options.signal?.throwIfAborted();
      if (kept && (await isWhole(path, kept, options.bytes))) return kept;
      const bytes = await inner.read(path, options).catch((error: unknown) => {
        // Hosts that give every file a long life give it to their 404 pages too, and the browser keeps those.
        if (error instanceof FetchError && error.status === 404) return inner.read(path, { ...options, fresh: true });
        throw error;
      });
      if (await isWhole(path, bytes, options.bytes)) keep(keyOf(path), bytes);
      return bytes;
    },
  };
}

async function readKept(key: string): Promise<Uint8Array | undefined> {
  const cache = await openCache(CACHE);
  const response = await cache?.match(key).catch(() => undefined);
  return response && new Uint8Array(await response.arrayBuffer());
}

/** Not awaited by readers: a full disk must not stop a search. */
function keep(key: string, bytes: Uint8Array): void {
  // Copied, since the engine may hand its buffer on.
  const response = new Response(Uint8Array.from(bytes));
  openCache(CACHE)
    .then((cache) => cache?.put(key, response))
    .catch(() => {});
}

/** Whether the bytes are those that the path promises: its last part begins with the head of their SHA-256. */
async function isWhole(path: string, bytes: Uint8Array, length: number | undefined): Promise<boolean> {
  if (length !== undefined && bytes.byteLength !== length) return false;
  const promised = /([0-9a-f]{16})\.\w+$/.exec(path)?.[1];
  if (!promised) return false;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)));
  const hex = Array.from(digest.subarray(0, promised.length / 2), (byte) => byte.toString(16).padStart(2, "0"));
  return hex.join("") === promised;
}
