/** Which kept files hold a range of a file, told from the names of all that are kept. @module */
import type { ByteRange, ReadOptions } from "../../../engine/index.ts";

export interface KeptPart extends ByteRange {
  readonly path: string;
  /** Of the bytes, in hexadecimal; that of a block of records is not known. */
  readonly sha256?: string | undefined;
}

const NAME = /^([^?]+)\?(\d+)-(\d+)(?:-([0-9a-f]{64}))?$/;
const PACK = /\/[0-9a-f]{16}\.(pack|parquet)$/;

export function keptNameOf({ path, start, end, sha256 }: KeptPart): string {
  return `${path}?${start}-${end}${sha256 === undefined ? "" : `-${sha256}`}`;
}

export function parseKeptName(name: string): KeptPart | undefined {
  const [, path, start, end, sha256] = NAME.exec(name) ?? [];
  if (path !== undefined) return { path, start: Number(start), end: Number(end), sha256 };
  return isPackName(name) ? { path: name, start: 0, end: Number.POSITIVE_INFINITY } : undefined;
}

function isPackName(name: string): boolean {
  return PACK.test(name);
}

export interface Wanted extends KeptPart {
  /** The slice that holds them, where they are a part of one. */
  readonly within?: ReadOptions["within"];
}

export interface Holder {
  readonly name: string;
  readonly part: ByteRange;
}

export type KeptNames = ReturnType<typeof createKeptNames>;

interface Entry {
  readonly name: string;
  readonly kept: KeptPart;
}

export function createKeptNames(names: Iterable<string> = []) {
  const byPath = new Map<string, Map<string, KeptPart>>();
  const byHash = new Map<string, Map<string, KeptPart>>();

  function add(name: string): void {
    const kept = parseKeptName(name);
    if (!kept) return;
    put(byPath, kept.path, { name, kept });
    if (kept.sha256 !== undefined) put(byHash, kept.sha256, { name, kept });
  }
  for (const name of names) add(name);

  return {
    add,
    delete(name: string): void {
      const kept = parseKeptName(name);
      if (!kept) return;
      byPath.get(kept.path)?.delete(name);
      if (kept.sha256 !== undefined) byHash.get(kept.sha256)?.delete(name);
    },
    /** The kept files that hold the bytes: those of the same SHA-256 first, under whatever path. */
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

function put(entries: Map<string, Map<string, KeptPart>>, key: string, { name, kept }: Entry): void {
  const known = entries.get(key) ?? new Map<string, KeptPart>();
  entries.set(key, known.set(name, kept));
}

/** Where the bytes lie if they are kept under a name that can be told without the list of names. */
export function likelyHolders({ path, start, end, sha256, within }: Wanted): readonly Holder[] {
  const own = { name: keptNameOf({ path, start, end, sha256 }), part: { start: 0, end: end - start } };
  if (!within) return [own];
  const { offset, bytes } = within;
  const slice = keptNameOf({ path, start: offset, end: offset + bytes, sha256: within.sha256 });
  return [own, { name: slice, part: { start: start - offset, end: end - offset } }];
}
