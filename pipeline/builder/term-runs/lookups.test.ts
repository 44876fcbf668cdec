import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { spellKey } from "../../../data/format/lookup.ts";
import { readTable } from "../../../data/format/tables.ts";
import { type LookupFile, lookupShares, lookupSlices, packLookups } from "./lookups.ts";

/** Enough for eight slices. */
const ROWS = 80_000;
/** Ends of buckets of all sizes. One is empty. */
const ENDS = [0.1, 0.1, 0.55, 0.56, 1].map((share) => share * ROWS);

interface Lookup {
  readonly key: number;
  readonly address: number;
}

interface MadeBucket {
  readonly file: LookupFile;
  readonly bytes: Uint8Array;
}

const all: Lookup[] = [];
let bytesRead = 0;

function fileOf(name: string, base: number, packed: Uint8Array): LookupFile {
  return {
    name,
    base,
    read: async (start, bytes) => {
      bytesRead += bytes;
      return packed.slice(start, start + bytes).buffer as ArrayBuffer;
    },
  };
}

const buckets = ENDS.map((end, bucket): MadeBucket => {
  const base = bucket * 65_536 * 1000;
  const keys: number[] = [];
  const addresses: number[] = [];
  for (let row = ENDS[bucket - 1] ?? 0; row < end; row++) {
    keys.push(createHash("sha256").update(`id ${row}`).digest().readUInt32BE());
    // As in blocks that are not full.
    addresses.push(((addresses.length / 20) | 0) * 128 + (addresses.length % 20));
  }
  all.push(...keys.map((key, row) => ({ key, address: base + (addresses[row] ?? 0) })));
  const bytes = packLookups(Uint32Array.from(keys), addresses);
  return { bytes, file: fileOf(`bucket ${bucket}`, base, bytes) };
});
all.sort((a, b) => a.key - b.key || a.address - b.address);
const files = buckets.map(({ file }) => file);

interface MadeSlice {
  readonly bytes: Uint8Array;
  readonly lookups: readonly Lookup[];
}

async function makeShare(
  from: readonly LookupFile[],
  share: number,
  shares: number,
  rows = ROWS,
): Promise<MadeSlice[]> {
  const made: MadeSlice[] = [];
  for await (const { bytes, node } of lookupSlices(from, { rows, share, shares })) {
    const table = readTable(bytes, ["gap", "address"], node.rows);
    let key = 0;
    const lookups = (table.gap ?? []).map((gap, row) => {
      key += Number(gap);
      return { key, address: Number(table.address?.[row]) };
    });
    expect([node.first_term, node.last_term]).toEqual(
      [lookups[0], lookups.at(-1)].map((one) => spellKey(one?.key ?? -1)),
    );
    made.push({ bytes, lookups });
  }
  return made;
}

async function makeAll(shares: number): Promise<MadeSlice[]> {
  const made: MadeSlice[] = [];
  for (let share = 0; share < shares; share++) made.push(...(await makeShare(files, share, shares)));
  return made;
}

test("any number of shares gives the same slices, which have each id once in the order of keys", async () => {
  const [one, four, eight] = [await makeAll(1), await makeAll(4), await makeAll(8)];
  expect(one).toHaveLength(8);
  // Compares texts: one expectation per object would take most of the time.
  expect(JSON.stringify(one.flatMap(({ lookups }) => lookups)) === JSON.stringify(all)).toBe(true);
  const bytesOf = (made: readonly MadeSlice[]) => Buffer.concat(made.map(({ bytes }) => bytes));
  expect([four, eight].map((made) => bytesOf(made).equals(bytesOf(one)))).toEqual([true, true]);
});

test("a share reads little more than its own keys of each file", async () => {
  for (const shares of [8, 64]) {
    for (const share of [0, shares >> 1, shares - 1]) {
      bytesRead = 0;
      const made = await makeShare(files, share, shares);
      const rows = made.reduce((sum, { lookups }) => sum + lookups.length, 0);
      expect(rows / (ROWS / shares)).toBeCloseTo(1, 1);
      expect(bytesRead / (rows * 8), `${share} of ${shares}`).toBeLessThan(1.05);
    }
  }
});

test("ids with equal keys are in the order of addresses", async () => {
  const pack = (keys: number[], addresses: number[]) => packLookups(Uint32Array.from(keys), addresses);
  const same = [fileOf("a", 0, pack([7, 2 ** 32 - 1, 7], [0, 1, 128])), fileOf("b", 1000, pack([7], [5]))];
  const [slice] = await makeShare(same, 0, 1, 4);
  expect(slice?.lookups).toEqual([
    ...[0, 128, 1005].map((address) => ({ key: 7, address })),
    { key: 2 ** 32 - 1, address: 1 },
  ]);
});

test("a file with keys in other positions than its header claims is refused", async () => {
  const [bucket] = buckets;
  if (!bucket) throw new Error("there is no bucket");
  const damaged = (change: (words: Uint32Array) => void): LookupFile => {
    const bytes = bucket.bytes.slice();
    change(new Uint32Array(bytes.buffer));
    return fileOf("damaged", 0, bytes);
  };
  const last = bucket.bytes.length / 4 - 1;
  const refused = (change: (words: Uint32Array) => void) => expect(makeShare([damaged(change)], 1, 4)).rejects;
  await refused((words) => words.fill(0, 1024)).toThrow("damaged has key 00000000 out of order");
  await refused((words) => words.fill(2 ** 32 - 1, 1024, last)).toThrow("damaged has keys beyond its range");
  await refused((words) => words.fill(3, 511, 512)).toThrow("share 1 of damaged ends at key 3");
  expect(() => packLookups(Uint32Array.of(1), [2 ** 32])).toThrow("has address 4294967296, expected less than 2^32");
});

test("a share has at most about 16 million rows, and few rows are one share", () => {
  expect([0, 1, 2 ** 24, 2 ** 24 + 1, 2 ** 25 + 1, 2_534_000_000].map((rows) => lookupShares(rows))).toEqual([
    1, 1, 1, 2, 4, 256,
  ]);
  expect(lookupShares(60, 8)).toBe(8);
});
