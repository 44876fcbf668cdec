import { beforeAll, expect, test } from "vitest";
import type { CollectionName } from "../../data/format/collections.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { type Dataset, openDataset, type Query } from "./index.ts";
import { randomFrom } from "./testing/random.ts";
import { openSampleRows, type SampleRows } from "./testing/sample.ts";
import { type CountingSource, countingSource } from "./testing/sources.ts";

let sample: SampleRows;
let source: CountingSource;

beforeAll(async () => {
  sample = await openSampleRows();
  source = countingSource(sample.source);
});

/** A newly opened dataset that has read only its manifest. */
async function openCold(): Promise<Dataset> {
  const dataset = openDataset({ source, decode: decodeParquet });
  await dataset.manifest();
  source.reset();
  return dataset;
}

test("any row is found by its id in three or four small ranges", async () => {
  const random = randomFrom(7);
  const { collections } = await (await openCold()).manifest();
  for (const collection of Object.keys(collections) as CollectionName[]) {
    const rows = sample.rows.filter((row) => row.collection === collection);
    for (let i = 0; i < 12; i++) {
      const { id, geometry } = random.of(rows);
      const dataset = await openCold();
      const found = await dataset.find([collection], id);
      expect([found?.id, found?.geometry], `${collection} ${id}`).toEqual([id, geometry]);
      // possibly an index page, the hash, and the group with its dictionary in parallel
      expect(source.requests.length, `${collection} ${id}`).toBeLessThanOrEqual(5);
      expect(source.roundTrips, `${collection} ${id}`).toBeLessThanOrEqual(4);
    }
  }
});

test("an unknown id needs one file per collection", async () => {
  const { id } = sample.rows.find(({ collection }) => collection === "division") ?? { id: "" };
  const dataset = await openCold();
  expect(await dataset.find(["place"], id)).toBeUndefined();
  expect(await dataset.find(["division_area"], "nobody-s")).toBeUndefined();
  expect(source.requests.length).toBeLessThanOrEqual(2);
  // the first collection that has the id returns the row, without reading the others
  expect((await dataset.find(["division_area", "division", "division_boundary"], id))?.id).toBe(id);
});

const BY = ["brand", "category", "country"] as const;

test.each(BY)("precomputed counts by %s match all rows, page by page", async (by) => {
  const dataset = await openCold();
  const { collections } = await dataset.manifest();
  for (const country of [undefined, ...Object.keys(collections.place?.countries ?? {}), "QQ"]) {
    for (const [offset, limit] of [
      [0, 10_000],
      [0, 25],
      [3, 7],
      [9999, 5],
    ] as const) {
      const query: Query = { collections: ["place"], ...(country ? { country } : {}), offset, limit };
      const ready = await dataset.group(query, by);
      // a condition that all rows meet disables the precomputed counts
      const plain = await dataset.group({ ...query, filters: { terms: [] } }, by);
      expect(ready, `${country} ${offset}`).toEqual(plain);
    }
  }
});

test.each(BY)("counts by %s without conditions are one small file", async (by) => {
  for (const country of [{}, { country: "US" }]) {
    const dataset = await openCold();
    const { groups } = await dataset.group({ collections: ["place"], ...country, offset: 0, limit: 25 }, by);
    expect(groups.length).toBeGreaterThan(0);
    expect(source.requests.map(({ path }) => path.startsWith("place/_count_"))).toEqual([true]);
    expect(source.requests[0]?.bytes).toBeLessThan(64_000);
  }
});
