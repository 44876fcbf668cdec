/**
 * Reads ranges from the cache: stored as such, as a part of a larger range or of the whole pack, or as the same bytes of another
 * pack. @module
 */
import { sha256Of } from "../../../../data/format/sha256.ts";
import type { ReadOptions } from "../../../engine/index.ts";
import type { FileCache } from "./cache-files.ts";
import {
  type CachedNames,
  cacheNameOf,
  createCachedNames,
  type Holder,
  likelyHolders,
  type Wanted,
} from "./cached-names.ts";

export interface WantedRange extends Wanted {
  readonly isSound?: ReadOptions["isSound"];
}

export interface FoundRange {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly sizeBytes: number;
}

export type CachedSlices = ReturnType<typeof cachedSlices>;

/** Minimum age of the list of names before it is read again: offline, many lookups fail. */
const LIST_AGAIN_MS = 1000;

interface CachedSlicesOptions {
  readonly names?: readonly string[];
  readonly nowMs?: () => number;
}

/**
 * Returns functions that read, write and delete cached ranges. A range that has neither a SHA-256 nor `isSound` is never found.
 */
export function cachedSlices(files: FileCache, options: CachedSlicesOptions = {}) {
  const { nowMs = () => performance.now() } = options;
  let names: CachedNames = createCachedNames(options.names);
  let listedAtMs = Number.NEGATIVE_INFINITY;
  let listing: Promise<void> | undefined;
  const notWhole = new Set<string>();
  const changed = new Map<string, boolean>();

  function list(): Promise<void> {
    listing ??= files
      .names()
      .then(
        (all) => {
          const listed = createCachedNames(all);
          for (const [name, isKept] of changed) {
            if (isKept) listed.add(name);
            else listed.delete(name);
          }
          names = listed;
          listedAtMs = nowMs();
          notWhole.clear();
        },
        // listing may succeed the next time
        () => {},
      )
      .finally(() => {
        listing = undefined;
        changed.clear();
      });
    return listing;
  }

  function note(name: string, isKept: boolean): void {
    if (isKept) names.add(name);
    else names.delete(name);
    if (listing) changed.set(name, isKept);
    if (isKept) notWhole.delete(name);
  }

  async function remove(name: string): Promise<void> {
    note(name, false);
    await files.remove(name);
  }

  async function readSound({ name, part }: Holder, wanted: WantedRange): Promise<FoundRange | undefined> {
    const { path, start, end } = wanted;
    const isExact = part.start === 0 && name === cacheNameOf({ path, start, end, sha256: wanted.sha256 });
    const kept = await files.read(name, isExact ? undefined : part);
    if (!kept) {
      note(name, false);
      return undefined;
    }
    if (await isRight(kept.bytes, wanted)) return { ...kept, name };
    await remove(name).catch(() => {});
    return undefined;
  }

  /** Packs are seldom stored whole: each is looked up once. */
  function wholeOf({ path, start, end }: Wanted): readonly Holder[] {
    return notWhole.has(path) ? [] : [{ name: path, part: { start, end } }];
  }

  async function find(wanted: WantedRange): Promise<FoundRange | undefined> {
    // without a checksum damage would go unnoticed
    if (wanted.sha256 === undefined && !wanted.isSound) return undefined;
    const tried = new Set<string>();
    for (const holder of [...likelyHolders(wanted), ...names.holdersOf(wanted), ...wholeOf(wanted)]) {
      if (tried.has(holder.name)) continue;
      tried.add(holder.name);
      const found = await readSound(holder, wanted);
      if (found) return found;
      if (holder.name === wanted.path) notWhole.add(wanted.path);
    }
    return undefined;
  }

  return {
    /**
     * Returns the range if it is cached and valid. Removes damaged files. Without the list of names it tries the most
     * likely ones.
     */
    find,
    /** The same, after reading the list again, because other tabs may have stored it. */
    async findAgain(wanted: WantedRange): Promise<FoundRange | undefined> {
      if (listing || nowMs() - listedAtMs > LIST_AGAIN_MS) await list();
      return find(wanted);
    },
    isHeld: (wanted: Wanted) => names.holdersOf(wanted).length > 0,
    async write(name: string, bytes: Uint8Array): Promise<void> {
      note(name, true);
      try {
        await files.write(name, bytes);
      } catch (error) {
        note(name, false);
        throw error;
      }
    },
    remove,
    list,
  };
}

/**
 * Returns whether the bytes have the expected length and SHA-256, or without a SHA-256 pass `isSound`. False if neither is given.
 */
export async function isRight(bytes: Uint8Array, { start, end, sha256, isSound }: WantedRange): Promise<boolean> {
  if (bytes.byteLength !== end - start) return false;
  if (sha256 !== undefined) return (await sha256Of(bytes)) === sha256;
  return (await isSound?.(bytes)) ?? false;
}
