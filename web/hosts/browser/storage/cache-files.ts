/**
 * Parts of files in Cache Storage, which both workers share. Cache Storage refuses status 206, so each part is a response of its
 * own under an internal URL. @module
 */
import { isCollectionFolder } from "../../../../data/format/own-collections.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import type { ByteRange } from "../../../engine/index.ts";
import { hasCache, KEEP_AFTER_MS, openCache } from "../cache/index.ts";

const CACHE = "cairn-dataset";

interface KeptBytes {
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
}

export interface FileCache {
  /** Returns the file, or the bytes of a part of it; undefined if it is not stored. */
  read(name: string, part?: ByteRange): Promise<KeptBytes | undefined>;
  /** Stores the file. Rejects on failure, with `QuotaExceededError` where the disk or the quota is full. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /**
   * Returns the names of all files. Rejects when they cannot be listed. Takes about 0.2 ms per file, so a search must not wait
   * for it.
   */
  names(): Promise<readonly string[]>;
}

/**
 * Returns the cached files of the dataset in this folder, whose URL ends in `/`. Where the browser has no cache it is empty, and
 * `write` rejects. `read` returns undefined on any failure.
 */
export function cacheFiles(base: URL): FileCache {
  const keyOf = (name: string) => new URL(name, base).href;
  const open = async () => ("caches" in globalThis ? caches.open(CACHE) : undefined);
  // On a first visit there is no cache. Looking up a file takes some milliseconds, and each search needs several.
  let isThere: Promise<boolean> = hasCache(CACHE);
  let askedAtMs = performance.now();
  return {
    async read(name, part) {
      if (!(await isThere)) {
        if (performance.now() - askedAtMs < KEEP_AFTER_MS) return undefined;
        // another page may have stored files since
        askedAtMs = performance.now();
        isThere = hasCache(CACHE);
        if (!(await isThere)) return undefined;
      }
      try {
        // A cache deleted under a running page must be opened again.
        const response = await (await openCache(CACHE))?.match(keyOf(name));
        return response && (await readPart(response, part));
      } catch {
        return undefined;
      }
    },
    async write(name, bytes) {
      const cache = await open();
      if (!cache) throw new Error("this browser gives the page no cache: files cannot be stored");
      isThere = Promise.resolve(true);
      await cache.put(keyOf(name), new Response(Uint8Array.from(bytes)));
    },
    async remove(name) {
      await (await open())?.delete(keyOf(name));
    },
    async names() {
      const requests = (await (await open())?.keys()) ?? [];
      return requests
        .flatMap(({ url }) => (url.startsWith(base.href) ? [url.slice(base.href.length)] : []))
        .filter((name) => name === MANIFEST_PATH || isCollectionFolder(name.split("/", 1)[0] ?? ""));
    },
  };
}

/** Returns the file or a part of it. Reading two kilobytes of four megabytes takes a twentieth of the time for all. */
async function readPart(response: Response, part: ByteRange | undefined): Promise<KeptBytes> {
  if (!part) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { bytes, sizeBytes: bytes.byteLength };
  }
  const blob = await response.blob();
  const bytes = new Uint8Array(await blob.slice(part.start, part.end).arrayBuffer());
  return { bytes, sizeBytes: blob.size };
}
