import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CollectionName } from "../../data/format/collections.ts";
import { joinRanges } from "../hosts/http/join-ranges.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import type { Query } from "./contract/query.ts";
import { openDataset } from "./dataset.ts";
import { SEARCH_BUDGETS, type SearchBudget } from "./testing/budgets.ts";
import { openSampleInOrder, type Sample } from "./testing/sample.ts";
import { countingSource } from "./testing/sources.ts";

type Question = keyof typeof SEARCH_BUDGETS;

const around = (radiusMeters: number, [lon, lat]: readonly [number, number] = [-105.2797, 40.0176]) => ({
  lon,
  lat,
  radiusMeters,
});
const page = { offset: 0, limit: 25 };

const QUESTIONS: Readonly<Record<Question, Omit<Query, "collections">>> = {
  "300 m, dense": { circle: around(300), ...page },
  "1 km, dense": { circle: around(1000), ...page },
  "1 km, 1,000 rows": { circle: around(1000), offset: 0, limit: 1000 },
  "1 km, sparse": { circle: around(1000, [-105.289891, 40.002652]), ...page },
  "10 km, dense": { circle: around(10_000), ...page },
  "50 km, dense": { circle: around(50_000), ...page },
  "50 km, 1,000 rows": { circle: around(50_000), offset: 0, limit: 1000 },
  "50 km, 25,000 rows": { circle: around(50_000), offset: 0, limit: 25_000 },
  "1 km, page 40": { circle: around(1000), offset: 975, limit: 25 },
  "2 km, empty": { circle: around(2000, [-105.32, 40.05]), ...page },
  "country, page 0": { country: "US", ...page },
  "country, page 100": { country: "US", offset: 2500, limit: 25 },
  "country and two words": { country: "US", filters: { terms: [["name:s"], ["name:c"]] }, ...page },
  "three letters": { country: "US", filters: { terms: [["name:bou"]] }, ...page },
  "name in 1 km": { circle: around(1000), filters: { terms: [["name:pearl"]] }, ...page },
  "country and name": { country: "US", filters: { terms: [["name:pearl"]] }, ...page },
};

const cases = Object.entries(SEARCH_BUDGETS).flatMap(([question, budgets]) =>
  Object.entries(budgets).map(([collection, budget]) => ({
    name: `${collection}: ${question}`,
    query: { ...QUESTIONS[question as Question], collections: [collection as CollectionName] },
    budget: budget as SearchBudget,
  })),
);

describe("a search stays within its budget", () => {
  let sample: Sample;
  beforeAll(async () => {
    sample = await openSampleInOrder();
    // Long work yields by the clock, and answers wait for a timer. On a slow processor both could split requests that are joined.
    vi.spyOn(performance, "now").mockReturnValue(0);
    vi.stubGlobal("setTimeout", setImmediate);
  });
  afterAll(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  test.each(cases)("$name", async ({ query, budget }) => {
    const sent = countingSource(sample.source);
    // a host joins near ranges
    const source = countingSource(joinRanges(sent));
    const { report } = await openDataset({ source, decode: decodeParquet }).search(query);
    const cost: SearchBudget = {
      requests: sent.requests.length,
      bytes: source.requests.reduce((sum, { bytes }) => sum + bytes, 0),
      roundTrips: source.roundTrips,
      rows: report.rowsScanned,
    };
    const over = Object.entries(cost).filter(([what, amount]) => amount > budget[what as keyof SearchBudget]);
    expect(over, JSON.stringify(budget)).toEqual([]);
  });

  /** The page is open: it has the manifest. */
  test.each([
    // Points, the dictionary, and one range of records.
    ["1 km, dense", "place", 7, 55_000, 2],
    ["1 km, sparse", "place", 4, 30_000, 2],
    ["1 km, 1,000 rows", "place", 8, 239_000, 2],
    ["50 km, dense", "place", 3, 31_000, 2],
    ["1 km, page 40", "place", 9, 98_000, 2],
    // Rows in the order of ids: ids, then joined ranges of records.
    ["country, page 0", "place", 13, 167_000, 2],
    ["country and name", "building", 4, 16_000, 3],
    ["country and two words", "place", 14, 171_000, 4],
    ["three letters", "place", 12, 156_000, 3],
  ] as const)("%s of an open dataset: %s", async (question, collection, requests, bytes, roundTrips) => {
    const source = countingSource(sample.source);
    const dataset = openDataset({ source, decode: decodeParquet });
    await dataset.manifest();
    source.reset();
    await dataset.search({ ...QUESTIONS[question], collections: [collection] });
    expect(source.requests.length).toBeLessThanOrEqual(requests);
    expect(source.requests.reduce((sum, request) => sum + request.bytes, 0)).toBeLessThanOrEqual(bytes);
    expect(source.roundTrips).toBeLessThanOrEqual(roundTrips);
  });

  test("the next page of a circle is one range of records", async () => {
    const source = countingSource(sample.source);
    const dataset = openDataset({ source, decode: decodeParquet });
    const query: Query = { ...QUESTIONS["1 km, dense"], collections: ["place"] };
    await dataset.search(query);
    source.reset();
    await dataset.search({ ...query, offset: 25 });
    expect(source.requests.length).toBeLessThanOrEqual(1);
    expect(source.requests.reduce((sum, request) => sum + request.bytes, 0)).toBeLessThanOrEqual(12_288);
  });

  test("without the Parquet reader, rows are read from joined ranges of records", async () => {
    const source = countingSource(sample.source);
    const dataset = openDataset({ source, decode: decodeParquet, decodeBytes: () => 1_100_000 });
    await dataset.manifest();
    source.reset();
    await dataset.search({ ...QUESTIONS["1 km, dense"], collections: ["place"] });
    expect(source.requests.filter(({ path }) => path.endsWith(".parquet"))).toEqual([]);
    expect(source.requests.length).toBeLessThanOrEqual(7);
    expect(source.requests.reduce((sum, request) => sum + request.bytes, 0)).toBeLessThanOrEqual(60_000);
  });
});
