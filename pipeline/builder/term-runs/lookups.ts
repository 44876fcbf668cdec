/**
 * Makes the run `find`, which maps an id to the address of its record by a key, the start of a hash of the id. Tasks
 * write the keys of their own buckets in order; then shares of all keys are merged.
 * @module
 */
import { spellKey } from "../../../data/format/lookup.ts";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { writeTable } from "../../../data/format/tables.ts";
import { deflate, type LooseSlice } from "../packs/index.ts";
import { type DerivedSlices, type LooseTermNode, WORLD } from "./term-run.ts";

/** About 100 KB: a look-up reads one slice. */
const LOOKUP_ROWS = 16 * 1024;

const KEY_BITS = 32;

/** Approximate maximum rows of a share. Packs start again with each share, so no option may change it. */
const SHARE_ROWS = 2 ** 24;

/** Returns a SQL expression of the key of an id: the first 32 bits of its SHA-256, as an integer. */
export function lookupKeySql(id: string): string {
  return `CAST('0x' || left(sha256(${id}), 8) AS UINTEGER)`;
}

/**
 * Number of key prefixes. A bucket counts its keys by prefix, so that a share can be read alone. Shares do not exceed
 * prefixes.
 */
const PREFIXES = 1024;
const PREFIX_KEYS = 2 ** KEY_BITS / PREFIXES;

const COUNT_BYTES = 4;
const ENTRY_BYTES = 8;
const ENTRIES_START = PREFIXES * COUNT_BYTES;

/**
 * Returns the number of shares of all keys, for about `most` of these rows each: a power of two up to 1,024, so that no
 * slice is in two shares.
 */
export function lookupShares(rows: number, most = SHARE_ROWS): number {
  return Math.min(PREFIXES, 2 ** Math.max(0, Math.ceil(Math.log2(rows / most))));
}

/**
 * Returns the bytes of a file of a bucket's keys: for each of 1,024 prefixes the number of keys up to it, then address
 * and key of each row in the order of keys, all as 32-bit little-endian. Addresses are ascending, counted from the
 * bucket's first chunk. Throws if one is 2^32 or more.
 */
export function packLookups(keys: Uint32Array, addresses: ArrayLike<number>): Uint8Array {
  const last = addresses[keys.length - 1] ?? 0;
  if (last >= 2 ** 32) throw new Error(`the last of ${keys.length} rows has address ${last}, expected less than 2^32`);
  const bytes = new Uint8Array(ENTRIES_START + keys.length * ENTRY_BYTES);
  const ends = new Uint32Array(bytes.buffer, 0, PREFIXES);
  const entries = new Uint32Array(bytes.buffer, ENTRIES_START);
  for (const [row, key] of keys.entries()) {
    entries[2 * row] = addresses[row] ?? 0;
    entries[2 * row + 1] = key;
    const prefix = Math.floor(key / PREFIX_KEYS);
    ends[prefix] = (ends[prefix] ?? 0) + 1;
  }
  for (let prefix = 1; prefix < PREFIXES; prefix++) ends[prefix] = (ends[prefix] ?? 0) + (ends[prefix - 1] ?? 0);
  new BigUint64Array(bytes.buffer, ENTRIES_START).sort();
  return bytes;
}

/** A file of `packLookups`. */
export interface LookupFile {
  readonly name: string;
  /** Address of the bucket's first record, which is added to the addresses in the file. */
  readonly base: number;
  /** Reads bytes of the file. Throws if it is shorter. */
  readonly read: (start: number, bytes: number) => Promise<ArrayBuffer>;
}

interface LookupShare {
  /** All rows of the collection, which decide the size of slices. */
  readonly rows: number;
  readonly share: number;
  /** A power of two. */
  readonly shares: number;
}

/**
 * Yields the slices of one share of the keys in all files, which are in the order of buckets. Throws if a file is not
 * sorted.
 */
export async function* lookupSlices(files: readonly LookupFile[], { rows, share, shares }: LookupShare): DerivedSlices {
  // Keys are hashes. With equal ranges, one more row changes one slice, unless the number of slices doubles.
  const slices = Math.max(shares, 2 ** Math.ceil(Math.log2(Math.max(1, rows / LOOKUP_ROWS))));
  const opened: Opened[] = [];
  for (const file of files) opened.push(await openShare(file, share, shares));
  const width = 2 ** KEY_BITS / slices;
  const ofShare = slices / shares;
  for (let ordinal = share * ofShare; ordinal < (share + 1) * ofShare; ordinal++) {
    const slice = takeRange(opened, ordinal * width, (ordinal + 1) * width);
    if (slice.keys.length > 0) yield lookupSlice(slice);
  }
  const left = opened.find(({ entries, next }) => next < entries.length);
  if (left) throw new Error(`${left.file.name} has keys beyond its range, or not in order`);
}

interface Opened {
  readonly file: LookupFile;
  readonly entries: Uint32Array;
  next: number;
}

async function openShare(file: LookupFile, share: number, shares: number): Promise<Opened> {
  const endOf = async (prefix: number): Promise<number> =>
    prefix === 0 ? 0 : (new Uint32Array(await file.read((prefix - 1) * COUNT_BYTES, COUNT_BYTES))[0] ?? 0);
  const first = await endOf((share * PREFIXES) / shares);
  const last = await endOf(((share + 1) * PREFIXES) / shares);
  if (last < first) throw new Error(`share ${share} of ${file.name} ends at key ${last}, expected ${first} or more`);
  const entries = new Uint32Array(await file.read(ENTRIES_START + first * ENTRY_BYTES, (last - first) * ENTRY_BYTES));
  return { file, entries, next: 0 };
}

interface Lookups {
  readonly keys: number[];
  readonly addresses: number[];
}

/** More than the rows of a slice. Added to 32 bits of a key, it is still an exact integer. */
const MOST_ROWS_OF_RANGE = 2 ** 20;

/** Reads the keys from `start` to `end` (exclusive), in order. Rows with equal keys are in the order of addresses. */
function takeRange(opened: readonly Opened[], start: number, end: number): Lookups {
  const taken: Lookups = { keys: [], addresses: [] };
  for (const from of opened) {
    const { entries, file } = from;
    for (; from.next < entries.length; from.next += 2) {
      const key = entries[from.next + 1] ?? 0;
      if (key >= end) break;
      if (key < start) throw new Error(`${file.name} has key ${spellKey(key)} out of order`);
      taken.keys.push(key);
      taken.addresses.push(file.base + (entries[from.next] ?? 0));
    }
  }
  const rows = taken.keys.length;
  if (rows >= MOST_ROWS_OF_RANGE)
    throw new Error(`${rows} ids have keys from ${spellKey(start)} on, expected less than ${MOST_ROWS_OF_RANGE}`);
  // Addresses rise in a bucket and from bucket to bucket, so later rows have higher ones.
  const order = Float64Array.from(taken.keys, (key, ordinal) => (key - start) * MOST_ROWS_OF_RANGE + ordinal).sort();
  const ordinals = Array.from(order, (value) => value % MOST_ROWS_OF_RANGE);
  return {
    keys: ordinals.map((ordinal) => taken.keys[ordinal] ?? 0),
    addresses: ordinals.map((ordinal) => taken.addresses[ordinal] ?? 0),
  };
}

function lookupSlice({ keys, addresses }: Lookups): LooseSlice<LooseTermNode> {
  const gap = keys.map((key, row) => (row === 0 ? key : key - (keys[row - 1] ?? 0)));
  const [first_term, last_term] = [spellKey(keys[0] ?? 0), spellKey(keys.at(-1) ?? 0)];
  return {
    bytes: writeTable({ gap, address: addresses }, deflate),
    key: first_term,
    node: { rows: keys.length, bbox: WORLD, country: ALL_COUNTRIES, first_term, last_term, start: 0 },
  };
}
