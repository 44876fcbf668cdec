import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { openDataset } from "./dataset.ts";
import { checkSearch } from "./testing/check-search.ts";
import { makeDataset } from "./testing/made-up-dataset.ts";
import { hardRows, oracleRows } from "./testing/made-up-rows.ts";
import { createOracle } from "./testing/oracle.ts";
import { createRandomQueries } from "./testing/queries.ts";
import { randomFrom } from "./testing/random.ts";
import { countingSource, memorySource } from "./testing/sources.ts";

const SEARCHES = 300;
/** A few partitions out of several dozen. */
const BUDGET_BYTES = 150_000;
/** A few index pages out of several dozen, and one partition. */
const PAGES_BUDGET_BYTES = 20_000;

test(`${SEARCHES} random searches stay within a small budget and are correct`, async () => {
  const place = (hardRows().place ?? []).slice(0, 200);
  const files = await makeDataset({ place }, { rowsPerPartition: 15, nodesPerPage: 4 });
  const source = countingSource(memorySource(files));
  const dataset = openDataset({ source, decode: decodeParquet, cacheBytes: BUDGET_BYTES });
  const oracle = createOracle(oracleRows({ place }));
  const next = createRandomQueries(randomFrom(6), "place", oracle.rows);
  let mostBytes = 0;
  for (let i = 0; i < SEARCHES; i++) {
    await checkSearch(dataset, oracle, next());
    mostBytes = Math.max(mostBytes, dataset.heldBytes());
  }
  expect(mostBytes).toBeLessThanOrEqual(BUDGET_BYTES);
  expect(mostBytes).toBeGreaterThan(BUDGET_BYTES / 2);
  // evicted files were read again
  expect(source.requests.length).toBeGreaterThan(files.size);
});

test("index pages are evicted too, and parallel searches keep theirs", async () => {
  const place = (hardRows().place ?? []).slice(0, 60);
  const files = await makeDataset({ place }, { rowsPerPartition: 1, nodesPerPage: 3 });
  const pages = [...files].filter(([path]) => path.includes("/_pages/"));
  const pageBytes = pages.reduce((sum, [, bytes]) => sum + inflateRawSync(bytes).length, 0);
  expect(pageBytes).toBeGreaterThan(PAGES_BUDGET_BYTES);
  const source = countingSource(memorySource(files));
  const dataset = openDataset({ source, decode: decodeParquet, cacheBytes: PAGES_BUDGET_BYTES });
  const oracle = createOracle(oracleRows({ place }));
  const next = createRandomQueries(randomFrom(7), "place", oracle.rows);
  for (let i = 0; i < 20; i++) {
    await Promise.all([next(), next(), next()].map((query) => checkSearch(dataset, oracle, query)));
    expect(dataset.heldBytes()).toBeLessThanOrEqual(PAGES_BUDGET_BYTES);
  }
  const asked = source.requests.filter(({ path }) => path.includes("/_pages/"));
  expect(asked.length).toBeGreaterThan(pages.length);
});

test("the filter data of a partition counts as memory", async () => {
  const named = (id: string) => ({ names: `{'primary': 'Café Nr. ${id}'}` });
  const place = (hardRows().place ?? []).slice(0, 60).map((row) => ({ ...row, values: named(row.id) }));
  const files = await makeDataset({ place }, { rowsPerPartition: 30 });
  const dataset = openDataset({ source: memorySource(files), decode: decodeParquet });
  const everywhere = {
    collections: ["place"],
    circle: { lon: 0, lat: 0, radiusMeters: 20_100_000 },
    offset: 0,
    limit: 1,
  } as const;
  const all = await dataset.search({ ...everywhere, limit: 60 });
  const before = dataset.heldBytes();
  const { total } = await dataset.search({ ...everywhere, filters: { terms: [["name:cafe"]] } });
  expect(total).toBe(all.total);
  // 4 bytes per row and term, of which `cafe` and `nr` are two
  expect(dataset.heldBytes()).toBeGreaterThan(before + 4 * 2 * all.total);
});
