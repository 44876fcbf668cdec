/**
 * The dataset's files in Cache Storage, by their path below its folder. Page worker and service worker share them.
 * @module
 */
import { isCollectionName } from "../../../../data/format/collections.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import { openCache } from "../cache/index.ts";

const CACHE = "cairn-dataset";

export interface FileCache {
  has(path: string): Promise<boolean>;
  read(path: string): Promise<Uint8Array | undefined>;
  /** Keeps the file. Throws when it is not kept: `QuotaExceededError` where the disk or the browser's share of it is full. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  /** Of all files. Throws when they cannot be listed. */
  paths(): Promise<readonly string[]>;
}

/** The files of the dataset in this folder (a URL that ends in `/`), not those of one in a folder below. Where the browser has no cache there are none. */
export function cacheFiles(base: URL): FileCache {
  const keyOf = (path: string) => new URL(path, base).href;
  const open = async () => ("caches" in globalThis ? caches.open(CACHE) : undefined);
  // A cache deleted under a running page is made anew the next time; to read from what is gone is to find nothing.
  const match = async (path: string) => (await openCache(CACHE))?.match(keyOf(path)).catch(() => undefined);
  return {
    has: async (path) => (await match(path)) !== undefined,
    async read(path) {
      const response = await match(path);
      return response?.arrayBuffer().then(
        (buffer) => new Uint8Array(buffer),
        () => undefined,
      );
    },
    async write(path, bytes) {
      const cache = await open();
      if (!cache) throw new Error("this browser gives the page no cache: files cannot be kept");
      await cache.put(keyOf(path), new Response(Uint8Array.from(bytes)));
    },
    async remove(path) {
      await (await open())?.delete(keyOf(path));
    },
    async paths() {
      const requests = (await (await open())?.keys()) ?? [];
      return requests
        .flatMap(({ url }) => (url.startsWith(base.href) ? [url.slice(base.href.length)] : []))
        .filter((path) => path === MANIFEST_PATH || isCollectionName(path.split("/", 1)[0] ?? ""));
    },
  };
}
