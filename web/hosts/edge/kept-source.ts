/** Bytes that earlier requests have read, in memory up to a size. @module */
import { MANIFEST_PATH } from "../../../data/format/paths.ts";
import { type ByteSource, FetchError, type ReadOptions } from "../../engine/index.ts";
import type { RecentBytes } from "../http/index.ts";

/** A new release is taken up after so long. */
const MANIFEST_MAX_AGE_MS = 60_000;

export interface Kept {
  readonly recent: RecentBytes;
  manifestAtMs: number;
}

/**
 * The source, whose bytes are kept for later requests. Only bytes are shared between requests, never a promise: edge runtimes end
 * what a request waits for when its caller leaves. The primary copy is not read: it is Parquet, whose reader is WebAssembly.
 */
export function keptSource(source: ByteSource, kept: Kept): ByteSource {
  return {
    name: source.name,
    async read(path, options = {}) {
      const { fresh, isSound, signal } = options;
      if (path.endsWith(".parquet")) {
        throw new FetchError(`${path} of ${source.name} is Parquet, which is not read here`, { path, status: 501 });
      }
      const key = keyOf(path, options);
      const bytes = isFresh(path, options) ? undefined : kept.recent.get(key);
      if (bytes) return bytes;
      const read = await source.read(path, options).catch((error: unknown) => {
        // its release may be gone
        kept.manifestAtMs = 0;
        throw error;
      });
      signal?.throwIfAborted();
      // what is not sound is asked for again
      if (path === MANIFEST_PATH) kept.manifestAtMs = Date.now();
      else if (fresh || !isSound || !(await isSound(read))) return read;
      kept.recent.set(key, read);
      return read;
    },
  };

  function isFresh(path: string, { fresh }: ReadOptions): boolean {
    if (path === MANIFEST_PATH) return Date.now() - kept.manifestAtMs > MANIFEST_MAX_AGE_MS;
    return fresh === true;
  }
}

function keyOf(path: string, { range }: ReadOptions): string {
  return range ? `${path} ${range.start}-${range.end}` : path;
}
