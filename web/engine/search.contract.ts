/**
 * Tests of searches against a plain loop over all rows.
 * @module
 */
import { beforeAll, describe, expect, test } from "vitest";
import { COLLECTION_NAMES, type CollectionName } from "../../data/format/collections.ts";
import type { Position } from "../../data/format/geometry.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import type { Query, SearchResult } from "./contract/query.ts";
import { type Dataset, openDataset } from "./dataset.ts";
import { checkSearch } from "./testing/check-search.ts";
import { type MadeUpOptions, makeDataset } from "./testing/made-up-dataset.ts";
import { hardRows, oracleRows } from "./testing/made-up-rows.ts";
import { createOracle, type Oracle } from "./testing/oracle.ts";
import { createRandomQueries } from "./testing/queries.ts";
import { randomFrom } from "./testing/random.ts";
import { openSampleRows } from "./testing/sample.ts";
import { memorySource } from "./testing/sources.ts";

/** A number that a plain loop measures quickly. */
const MOST_NEAREST = 40;

/** Storage layouts: searches must find the same in all of them. */
const STORED: readonly (readonly [string, MadeUpOptions])[] = [
  ["partitions of 32 rows and groups of eight", {}],
  [
    "short segments, chunks of two slices, small groups and index pages of four",
    { nodesPerPage: 4, rowsPerSegment: 20, slicesPerChunk: 2, rowsPerGroup: 3 },
  ],
  [
    "groups of one row, in segments of five, a chunk per slice",
    { rowsPerPartition: 100, rowsPerSegment: 5, slicesPerChunk: 1, rowsPerGroup: 1, withTerms: false },
  ],
  [
    "groups of 128 rows, and index pages of two",
    { rowsPerPartition: 100, rowsPerGroup: 128, nodesPerPage: 2, withTerms: false },
  ],
];

/** Tests that searches equal a plain loop over synthetic rows. */
export function describeMadeUpSearches(searches: number): void {
  describe("searches of synthetic rows", () => {
    const rows = hardRows();
    const oracle = createOracle(oracleRows(rows));
    const names = Object.keys(rows) as CollectionName[];

    describe.each(STORED)("stored with %s", (_, options) => {
      let dataset: Dataset;
      beforeAll(async () => {
        const source = memorySource(await makeDataset(rows, options));
        dataset = openDataset({ source, decode: decodeParquet });
      });

      test.each(names)("%s: random searches equal a plain loop", async (collection) => {
        const next = createRandomQueries(randomFrom(1), collection, oracle.rows);
        for (let i = 0; i < searches; i++) await checkSearch(dataset, oracle, next());
      });

      test("several collections merge into one order", async () => {
        const next = createRandomQueries(randomFrom(2), "place", oracle.rows);
        for (let i = 0; i < searches; i++) await checkSearch(dataset, oracle, { ...next(), collections: names });
      });

      test("circles as large as the earth contain everything", async () => {
        const circle = { lon: 12, lat: -34, radiusMeters: 30_000_000 };
        const query = { collections: names, circle, offset: 0, limit: 10 };
        expect((await dataset.search(query)).total).toBe(oracle.rows.length);
        await checkSearch(dataset, oracle, { ...query, circle: { ...circle, radiusMeters: 9_000_000 } });
      });

      test.each(names)("%s: the nearest rows at any distance match a plain loop", async (collection) => {
        const next = createRandomQueries(randomFrom(3), collection, oracle.rows);
        for (let i = 0; i < searches / 12; i++) await checkNearest(dataset, oracle, next());
        // across the antimeridian, and at the poles
        for (const [lon, lat] of ENDS) await checkNearest(dataset, oracle, nearestTo([lon, lat], collection));
      });

      test("the pages of a search add up to all results, each once", async () => {
        const searches: Query[] = [
          { collections: ["place"], country: "AA", offset: 0, limit: 7 },
          { collections: names, country: "FJ", offset: 0, limit: 13 },
          { collections: names, circle: { lon: 180, lat: 0, radiusMeters: 150_000 }, offset: 0, limit: 11 },
        ];
        for (const query of searches) await checkPages(dataset, oracle, query);
      });
    });
  });
}

/** Tests that searches equal a plain loop over the rows of the sample's sources. */
export function describeSampleSearches(searches: number): void {
  describe("searches of the sample", () => {
    let dataset: Dataset;
    let oracle: Oracle;

    beforeAll(async () => {
      const sample = await openSampleRows();
      dataset = openDataset({ source: sample.source, decode: decodeParquet });
      oracle = createOracle(sample.rows);
    });

    test.each(COLLECTION_NAMES)("%s: random searches equal a plain loop over the source rows", async (collection) => {
      const { collections } = await dataset.manifest();
      expect(collections[collection]?.rows ?? 0).toBe(
        oracle.rows.filter((row) => row.collection === collection).length,
      );
      if (!collections[collection]) return;
      const next = createRandomQueries(randomFrom(collection.length), collection, oracle.rows);
      for (let i = 0; i < searches; i++) {
        await checkSearch(dataset, oracle, next());
      }
    });

    test.each(COLLECTION_NAMES)("%s: the nearest rows at any distance match a plain loop", async (collection) => {
      if (!(await dataset.manifest()).collections[collection]) return;
      const next = createRandomQueries(randomFrom(collection.length + 1), collection, oracle.rows);
      for (let i = 0; i < searches / 100; i++) await checkNearest(dataset, oracle, next());
      for (const [lon, lat] of ENDS) await checkNearest(dataset, oracle, nearestTo([lon, lat], collection));
    });

    test("the nearest places of a category are the first of the whole list", async () => {
      const circle = { lon: 7.4206, lat: 43.7347, radiusMeters: Number.POSITIVE_INFINITY };
      const terms = { terms: [["category:hotel"]] };
      const query = { collections: ["place"] as const, circle, filters: terms, offset: 0, limit: 30 };
      const all = await dataset.search(query);
      for (const nearest of [1, 30, all.total + 1]) {
        const found = await dataset.search({ ...query, nearest });
        expect(found.total).toBe(Math.min(nearest, all.total));
        expect(idsOf(found)).toEqual(idsOf(all).slice(0, nearest));
      }
    });

    test("every country of every collection, page by page", async () => {
      const { collections } = await dataset.manifest();
      for (const [name, { countries }] of Object.entries(collections)) {
        for (const [country, rows] of Object.entries(countries)) {
          const query = {
            collections: [name as CollectionName],
            country,
            offset: 0,
            limit: Math.max(1, Math.ceil(rows / 4)),
          };
          await checkPages(dataset, oracle, query);
        }
      }
    });
  });
}

const ENDS: readonly Position[] = [
  [180, -16.5],
  [-179.999, 52],
  [12, 90],
  [-70, -90],
];

function nearestTo([lon, lat]: Position, collection: CollectionName): Query {
  return {
    collections: [collection],
    circle: { lon, lat, radiusMeters: Number.POSITIVE_INFINITY },
    offset: 0,
    limit: 7,
  };
}

/** The nearest rows of a search in a circle equal the first rows of a circle as large as the earth. */
async function checkNearest(dataset: Dataset, oracle: Oracle, { circle, ...query }: Query): Promise<void> {
  if (!circle) return;
  const everywhere = { ...circle, radiusMeters: Number.POSITIVE_INFINITY };
  const nearest = Math.min(query.limit, MOST_NEAREST);
  const asked = { ...query, circle: everywhere, offset: 0, limit: nearest };
  await checkSearch(dataset, oracle, asked);
  const found = await dataset.search({ ...asked, nearest });
  const all = oracle.count(asked, everywhere, Number.POSITIVE_INFINITY).most;
  expect(found.total, JSON.stringify(asked)).toBe(Math.min(all, nearest));
  expect(idsOf(found)).toEqual(idsOf(await dataset.search(asked)));
  const enough = Math.ceil(nearest / 4);
  const some = idsOf(await dataset.search({ ...asked, nearest, enough }));
  expect(some).toEqual(idsOf(found).slice(0, Math.max(some.length, Math.min(found.length, enough))));
  const second = { ...asked, nearest, offset: Math.ceil(nearest / 2) };
  expect(idsOf(await dataset.search(second))).toEqual(idsOf(found).slice(second.offset));
}

function idsOf({ features }: SearchResult): string[] {
  return [...features(new Set())].map(({ id }) => id);
}

async function checkPages(dataset: Dataset, oracle: Oracle, query: Query): Promise<void> {
  const whole = await checkSearch(dataset, oracle, { ...query, limit: 1_000_000 });
  const ids: string[] = [];
  for (let offset = 0; offset < whole.total + query.limit; offset += query.limit) {
    const page = await checkSearch(dataset, oracle, { ...query, offset });
    expect(page.total).toBe(whole.total);
    ids.push(...page.ids);
  }
  expect(ids).toEqual(whole.ids);
}
