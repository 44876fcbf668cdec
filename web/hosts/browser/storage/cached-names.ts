/** Finds cached files that contain a range of a file, by the names of all cached files. @module */
import type { ByteRange, ReadOptions } from "../../../engine/index.ts";

interface CachedRange extends ByteRange {
  readonly path: string;
  /** SHA-256 of the bytes in hexadecimal; undefined for a block of records. */
  readonly sha256?: string | undefined;
}

const NAME = /^([^?]+)\?(\d+)-(\d+)(?:-([0-9a-f]{64}))?$/;
const PACK = /\/[0-9a-f]{16}\.(pack|parquet)$/;

/** Returns the name under which a range is cached: path, start, end and SHA-256. */
export function cacheNameOf({ path, start, end, sha256 }: CachedRange): string {
  return `${path}?${start}-${end}${sha256 === undefined ? "" : `-${sha256}`}`;
}

/** Returns the range of a cached file by its name; undefined for a name of another form. For a whole pack, `end` is Infinity. */
export function parseCacheName(name: string): CachedRange | undefined {
  const [, path, start, end, sha256] = NAME.exec(name) ?? [];
  if (path !== undefined) return { path, start: Number(start), end: Number(end), sha256 };
  return isPackName(name) ? { path: name, start: 0, end: Number.POSITIVE_INFINITY } : undefined;
}

function isPackName(name: string): boolean {
  return PACK.test(name);
}

export interface Wanted extends CachedRange {
  /** The slice that contains the range, if there is one. */
  readonly within?: ReadOptions["within"];
}

export interface Holder {
  readonly name: string;
  readonly part: ByteRange;
}

export type CachedNames = ReturnType<typeof createCachedNames>;

interface Entry {
  readonly name: string;
  readonly kept: CachedRange;
}

/** Returns an index of the names of cached files. */
export function createCachedNames(names: Iterable<string> = []) {
  const byPath = new Map<string, Map<string, CachedRange>>();
  const byHash = new Map<string, Map<string, CachedRange>>();

  function add(name: string): void {
    const kept = parseCacheName(name);
    if (!kept) return;
    put(byPath, kept.path, { name, kept });
    if (kept.sha256 !== undefined) put(byHash, kept.sha256, { name, kept });
  }
  for (const name of names) add(name);

  return {
    add,
    delete(name: string): void {
      const kept = parseCacheName(name);
      if (!kept) return;
      byPath.get(kept.path)?.delete(name);
      if (kept.sha256 !== undefined) byHash.get(kept.sha256)?.delete(name);
    },
    /** Returns the cached files that contain the bytes. Those with the same SHA-256 are first, under any path. */
    holdersOf({ path, start, end, sha256, within }: Wanted): readonly Holder[] {
      const holders = new Map<string, ByteRange>();
      for (const [name] of byHash.get(sha256 ?? "") ?? []) holders.set(name, { start: 0, end: end - start });
      for (const [name, kept] of byPath.get(path) ?? []) {
        if (kept.start <= start && end <= kept.end && !holders.has(name)) {
          holders.set(name, { start: start - kept.start, end: end - kept.start });
        }
      }
      for (const [name] of byHash.get(within?.sha256 ?? "") ?? []) {
        if (within && !holders.has(name)) holders.set(name, { start: start - within.offset, end: end - within.offset });
      }
      return Array.from(holders, ([name, part]) => ({ name, part }));
    },
  };
}

function put(entries: Map<string, Map<string, CachedRange>>, key: string, { name, kept }: Entry): void {
  const known = entries.get(key) ?? new Map<string, CachedRange>();
  entries.set(key, known.set(name, kept));
}

/** Returns names under which the bytes may be cached, to try while the list of names is not loaded. */
export function likelyHolders({ path, start, end, sha256, within }: Wanted): readonly Holder[] {
  const own = { name: cacheNameOf({ path, start, end, sha256 }), part: { start: 0, end: end - start } };
  if (!within) return [own];
  const { offset, bytes } = within;
  const slice = cacheNameOf({ path, start: offset, end: offset + bytes, sha256: within.sha256 });
  return [own, { name: slice, part: { start: start - offset, end: end - offset } }];
}
