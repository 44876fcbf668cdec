/** Reads and checks slices of packs (large files) and blocks of slices, with a cache. @module */
import { BLOCK_BYTES, blockBytesOf } from "../../data/format/blocks.ts";
import { MAX_MANIFEST_BYTES, type Slice } from "../../data/format/manifest.ts";
import { sha256Of } from "../../data/format/sha256.ts";
import { CairnError, named } from "./error.ts";
import type { ReadBytes } from "./types.ts";

interface Range {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Ranges with at most this gap are one request: the bytes of the gap cost less than a second request. */
const GAP_BYTES = 20 * 1024;
/** Maximum length of joined ranges: several requests in parallel are faster than one long one. */
const MAX_JOINED_BYTES = 1024 * 1024;
const MAX_PARALLEL = 16;
/** Estimated memory of decoded data, per stored byte. */
const BYTES_PER_STORED_BYTE = 4;

/** A slice: a range of a pack, with its SHA-256. `path` is below the dataset's folder. */
export interface Wanted {
  readonly path: string;
  readonly slice: Pick<Slice, "sha256" | "bytes" | "offset">;
}

/** Consecutive blocks of a slice that belong together: a group of records, or one block of ids. */
export interface WantedBlock extends Wanted {
  /** Number of the first block in the slice, from 0. */
  readonly block: number;
  /** How many blocks there are, if known. Otherwise the first block says it, and more than one cost a second request. */
  readonly blocks?: number | undefined;
}

/** Reads files of a dataset. All methods reject with `CairnError` if a file cannot be read. */
export interface Files {
  /** Returns the bytes of the manifest. They are neither cached nor checked. Rejects if they exceed the maximum length. */
  manifest(): Promise<Uint8Array>;
  /** Returns the bytes of another small file. Neither cached nor checked. */
  whole(path: string): Promise<Uint8Array>;
  /**
   * Returns what `open` makes of each slice, in the order of `wanted`, from the cache if possible. Rejects with `CairnError` if a
   * slice has another length or SHA-256, or if `open` throws.
   */
  slices<T>(wanted: readonly Wanted[], open: (slice: Uint8Array) => T | Promise<T>): Promise<T[]>;
  /**
   * Returns what `open` makes of each block, in the order of `wanted`, from the cache if possible. `open` must check the bytes.
   * Rejects with `CairnError` if bytes are missing or `open` throws.
   */
  blocks<T>(wanted: readonly WantedBlock[], open: (bytes: Uint8Array, block: number) => T | Promise<T>): Promise<T[]>;
}

/**
 * Returns a reader of slices and blocks. It requests neighbours together, and caches opened values in up to `cacheBytes` of
 * memory (estimated).
 */
export function openFiles(read: ReadBytes, cacheBytes: number): Files {
  const cache = new Map<string, { readonly value: Promise<unknown>; readonly bytes: number }>();
  let cachedBytes = 0;
  let running = 0;
  const waiting: (() => void)[] = [];

  async function readRange(path: string, { start, end }: Range): Promise<Uint8Array> {
    if (running >= MAX_PARALLEL) await new Promise<void>((run) => waiting.push(run));
    running++;
    try {
      return await named(path, () => read(path, start, end - start));
    } finally {
      running--;
      waiting.shift()?.();
    }
  }

  /** Returns the bytes of each range of a file, and requests neighbours together. */
  function readRanges(path: string, ranges: readonly Range[]): Promise<Uint8Array>[] {
    const found = new Map<Range, Promise<Uint8Array>>();
    for (const { start, end, parts } of joined(ranges)) {
      const bytes = readRange(path, { start, end });
      for (const part of parts)
        found.set(
          part,
          bytes.then((all) => all.subarray(part.start - start, part.end - start)),
        );
    }
    return ranges.map((range) => found.get(range) as Promise<Uint8Array>);
  }

  /** Returns cached values, and loads all missing ones by one call of `load`. A failed value is not cached. */
  async function cached<W extends Wanted, T>(
    wanted: readonly W[],
    keyOf: (one: W) => string,
    load: (missing: readonly W[]) => readonly Promise<T>[],
  ): Promise<T[]> {
    const missing = new Map(wanted.map((one) => [keyOf(one), one]));
    for (const key of missing.keys()) if (cache.has(key)) missing.delete(key);
    const loaded = load([...missing.values()]);
    const own = new Map<string, Promise<T>>();
    for (const [index, [key, { slice }]] of [...missing].entries()) {
      const value = loaded[index] as Promise<T>;
      own.set(key, value);
      const entry = { value, bytes: slice.bytes * BYTES_PER_STORED_BYTE };
      cache.set(key, entry);
      cachedBytes += entry.bytes;
      value.catch(() => {
        if (cache.get(key) !== entry) return;
        cache.delete(key);
        cachedBytes -= entry.bytes;
      });
    }
    const values = wanted.map((one) => {
      const key = keyOf(one);
      const entry = cache.get(key);
      // the most recently used entry is the last
      if (entry) cache.delete(key);
      if (entry) cache.set(key, entry);
      return (own.get(key) ?? entry?.value) as Promise<T>;
    });
    for (const [key, { bytes }] of cache) {
      if (cachedBytes <= cacheBytes) break;
      cache.delete(key);
      cachedBytes -= bytes;
    }
    return Promise.all(values);
  }

  return {
    async manifest() {
      const bytes = await named("manifest.json", () => read("manifest.json"));
      if (bytes.length > MAX_MANIFEST_BYTES)
        throw new CairnError(`manifest.json has ${bytes.length} bytes, expected at most ${MAX_MANIFEST_BYTES}`);
      return bytes;
    },
    whole: (path) => named(path, () => read(path)),
    slices: (wanted, open) =>
      cached(
        wanted,
        ({ path, slice }) => `${path} ${slice.offset}`,
        (missing) =>
          byPath(missing, (path, own) =>
            readRanges(
              path,
              own.map(({ slice }) => ({ start: slice.offset, end: slice.offset + slice.bytes })),
            ).map(async (reading, index) => {
              const bytes = await reading;
              const slice = own[index]?.slice as Slice;
              const where = `${path} from byte ${slice.offset} on`;
              if (bytes.length !== slice.bytes)
                throw new CairnError(`${where} has ${bytes.length} bytes, expected ${slice.bytes}`);
              const sha256 = await sha256Of(bytes);
              if (sha256 !== slice.sha256)
                throw new CairnError(`${where} has SHA-256 ${sha256}, expected ${slice.sha256}`);
              return named(where, () => open(bytes));
            }),
          ),
      ),
    blocks: (wanted, open) =>
      cached(
        wanted.map((one) => ({
          ...one,
          slice: { ...one.slice, bytes: (one.blocks ?? 1) * BLOCK_BYTES },
          of: one.slice,
        })),
        ({ path, slice, block }) => `${path} ${slice.offset} ${block}`,
        (missing) =>
          byPath(missing, (path, own) => {
            const starts = own.map(({ of, block }) => of.offset + block * BLOCK_BYTES);
            // the last block of a slice ends with its content
            const endOf = (of: Pick<Slice, "offset" | "bytes">, end: number) => Math.min(end, of.offset + of.bytes);
            const ranges = own.map(({ of, slice }, index) => {
              const start = starts[index] as number;
              return { start, end: endOf(of, start + slice.bytes) };
            });
            return readRanges(path, ranges).map(async (reading, index) => {
              const { of, block } = own[index] as (typeof own)[number];
              const start = starts[index] as number;
              const where = `${path} from byte ${start} on`;
              let bytes = await reading;
              const least = endOf(of, start + BLOCK_BYTES) - start;
              if (bytes.length < least) throw new CairnError(`${where} has ${bytes.length} bytes, expected ${least}`);
              const whole = blockBytesOf(bytes);
              const length = endOf(of, start + whole) - start;
              if (whole - length >= BLOCK_BYTES)
                throw new CairnError(`${where} has a block that is longer than its slice`);
              if (length > bytes.length) bytes = await readRange(path, { start, end: start + length });
              return named(where, () => open(bytes.slice(0, length), block));
            });
          }),
      ),
  };
}

/** Calls `load` once for each file. Returns its values in the order of `wanted`. */
function byPath<W extends Wanted, T>(
  wanted: readonly W[],
  load: (path: string, own: readonly W[]) => readonly Promise<T>[],
): Promise<T>[] {
  const files = new Map<string, W[]>();
  for (const one of wanted) {
    const own = files.get(one.path);
    if (own) own.push(one);
    else files.set(one.path, [one]);
  }
  const found = new Map<W, Promise<T>>();
  for (const [path, own] of files) {
    for (const [index, value] of load(path, own).entries()) found.set(own[index] as W, value);
  }
  return wanted.map((one) => found.get(one) as Promise<T>);
}

function joined(ranges: readonly Range[]): (Range & { readonly parts: readonly Range[] })[] {
  const found: { readonly start: number; end: number; readonly parts: Range[] }[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = found.at(-1);
    const end = Math.max(last?.end ?? 0, range.end);
    if (last && range.start - last.end <= GAP_BYTES && end - last.start <= MAX_JOINED_BYTES) {
      last.end = end;
      last.parts.push(range);
    } else found.push({ start: range.start, end: range.end, parts: [range] });
  }
  return found;
}
