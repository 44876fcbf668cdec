/** Parts of files in Cache Storage, shared by both workers. It takes no status 206: each part is a response of its own, under a made-up URL. @module */
import { isCollectionName } from "../../../../data/format/collections.ts";
import { MANIFEST_PATH } from "../../../../data/format/paths.ts";
import type { ByteRange } from "../../../engine/index.ts";
import { openCache } from "../cache/index.ts";

const CACHE = "cairn-dataset";

export interface KeptBytes {
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
}

export interface FileCache {
  /** The file of this name, or a part of it as far as it goes. */
  read(name: string, part?: ByteRange): Promise<KeptBytes | undefined>;
  /** Keeps the file. Throws when it is not kept: `QuotaExceededError` where the disk or the browser's share of it is full. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /** Of all files. Throws when they cannot be listed. Some 0.2 ms for each: not to be waited for by a search. */
  names(): Promise<readonly string[]>;
}

/** The files of the dataset in this folder (a URL that ends in `/`), not those of one in a folder below. Where the browser has no cache there are none. */
export function cacheFiles(base: URL): FileCache {
  const keyOf = (name: string) => new URL(name, base).href;
  const open = async () => ("caches" in globalThis ? caches.open(CACHE) : undefined);
  return {
    async read(name, part) {
      try {
        // A cache deleted under a running page is made anew the next time; to read from what is gone is to find nothing.
        const response = await (await openCache(CACHE))?.match(keyOf(name));
        return response && (await readPart(response, part));
      } catch {
        return undefined;
      }
    },
    async write(name, bytes) {
      const cache = await open();
      if (!cache) throw new Error("this browser gives the page no cache: files cannot be kept");
      await cache.put(keyOf(name), new Response(Uint8Array.from(bytes)));
    },
    async remove(name) {
      await (await open())?.delete(keyOf(name));
    },
    async names() {
      const requests = (await (await open())?.keys()) ?? [];
      return requests
        .flatMap(({ url }) => (url.startsWith(base.href) ? [url.slice(base.href.length)] : []))
        .filter((name) => name === MANIFEST_PATH || isCollectionName(name.split("/", 1)[0] ?? ""));
    },
  };
}

/** Two kilobytes of four megabytes take a twentieth of the time that all of them take. */
async function readPart(response: Response, part: ByteRange | undefined): Promise<KeptBytes> {
  if (!part) {
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { bytes, sizeBytes: bytes.byteLength };
  }
  const blob = await response.blob();
  const bytes = new Uint8Array(await blob.slice(part.start, part.end).arrayBuffer());
  return { bytes, sizeBytes: blob.size };
}
