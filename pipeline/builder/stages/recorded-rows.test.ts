import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import { firstAddressOf } from "../../../data/format/records.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { taskFolder } from "../plan/index.ts";
import { type RecordedBucket, readAddresses, writeAddresses } from "./recorded-rows.ts";

const newFolder = temporaryFolders();

const SEGMENTS = [2, 0, 1, 0];
/** Buckets of ids; two are empty. */
const buckets = SEGMENTS.map((_, place) => ({
  ...{ key: "", content: "", rows: 0, countries: [], sections: [] },
  before: SEGMENTS.slice(0, place).reduce((sum, segments) => sum + segments, 0),
}));

interface Pair {
  readonly number: number;
  readonly address: number;
}

test("the tasks of the id run read their own rows, with addresses and numbers of the collection", async () => {
  const work = await newFolder();
  const pairs: Pair[][] = [
    [firstNumberOf(2) + 3, 5, firstNumberOf(1)].map((number, row) => ({ number, address: 10 * row })),
    [],
    [firstNumberOf(2), 4].map((number, row) => ({ number, address: firstAddressOf(3) + row })),
  ];
  const recorded: RecordedBucket[] = [];
  for (const [index, own] of pairs.entries()) {
    const key = `reduce${index}`;
    await mkdir(taskFolder(work, key), { recursive: true });
    const arrays = {
      numbers: Float64Array.from(own, ({ number }) => number),
      addresses: Float64Array.from(own, ({ address }) => address),
    };
    if (own.length > 0) await writeAddresses(taskFolder(work, key), { buckets }, arrays);
    recorded.push({ key, content: key, rows: own.length, countries: [], before: 7 * index });
  }
  const read = async (ordinal: number): Promise<Pair[]> => {
    const found: Pair[] = [];
    const own = { ordinal, count: buckets.length };
    for await (const pair of readAddresses({ work }, { buckets: recorded }, own)) found.push(pair);
    return found;
  };
  const last = firstAddressOf(14 + 3);
  expect(await read(0)).toEqual([
    { number: 5, address: 10 },
    { number: firstNumberOf(1), address: 20 },
    { number: 4, address: last + 1 },
  ]);
  expect(await read(1)).toEqual([]);
  expect(await read(2)).toEqual([
    { number: 3, address: 0 },
    { number: 0, address: last },
  ]);
  expect(await read(3)).toEqual([]);
  await writeFile(join(taskFolder(work, "reduce2"), "addresses.bin"), new Uint8Array(20));
  await expect(read(0)).resolves.toHaveLength(2);
  await writeFile(join(taskFolder(work, "reduce2"), "addresses.bin"), new Uint8Array(10));
  await expect(read(0)).rejects.toThrow("addresses.bin ends at byte 10, expected 16 or more");
});

test("values of more than 32 bits are refused", async () => {
  const folder = await newFolder();
  for (const [number, address] of [
    [2 ** 33, 0],
    [0, 2 ** 32],
  ] as const) {
    const rows = { numbers: Float64Array.of(number), addresses: Float64Array.of(address) };
    await expect(writeAddresses(folder, { buckets: buckets.slice(0, 1) }, rows)).rejects.toThrow(
      "expected less than 2^32",
    );
  }
});
