import { beforeAll, describe, expect, test } from "vitest";
import type { CollectionName } from "../../data/format/collections.ts";
import type { Position } from "../../data/format/geometry.ts";
import { joinRanges } from "../hosts/http/join-ranges.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import type { Query, SearchResult } from "./contract/query.ts";
import { openDataset } from "./dataset.ts";
import { makeDataset } from "./testing/made-up-dataset.ts";
import { openSampleRows, type SampleRows } from "./testing/sample.ts";
import { type CountingSource, countingSource, memorySource } from "./testing/sources.ts";

/** `join`: as a host sends requests. */
const open = (source: CountingSource, join: typeof joinRanges = (same) => same) =>
  openDataset({ source: join(source), decode: decodeParquet });

interface Cost {
  readonly result: SearchResult;
  readonly requests: number;
  /** Slices of points. */
  readonly points: number;
  /** Slices of the primary copy. */
  readonly partitions: number;
  /** Without the manifest. */
  readonly bytes: number;
  readonly roundTrips: number;
}

async function costOf(source: CountingSource, dataset: ReturnType<typeof open>, query: Query): Promise<Cost> {
  source.reset();
  const result = await dataset.search(query);
  const files = source.requests.filter(({ path }) => path !== "manifest.json");
  return {
    result,
    requests: source.requests.length,
    points: files.filter(({ path }) => path.includes("/_points/")).length,
    partitions: files.filter(({ path }) => path.endsWith(".parquet")).length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    roundTrips: source.roundTrips,
  };
}

describe("over a grid of 40 by 40 rows, 2.8 km apart, 4 by 4 per partition", () => {
  const rows = Array.from({ length: 1600 }, (_, i) => {
    const [block, inside] = [Math.floor(i / 16), i % 16];
    const x = (block % 10) * 4 + (inside % 4);
    const y = Math.floor(block / 10) * 4 + Math.floor(inside / 4);
    return { id: String(i).padStart(5, "0"), lon: x / 40, lat: y / 40, country: "AA" };
  });
  const place = rows.map(({ id, lon, lat, country }) => ({
    id,
    country,
    geometry: { type: "Point", coordinates: [lon, lat] } as const,
  }));
  const options = { rowsPerPartition: 16, keepOrder: true };
  let source: CountingSource;
  let flat: CountingSource;

  beforeAll(async () => {
    source = countingSource(memorySource(await makeDataset({ place }, { ...options, nodesPerPage: 10 })));
    flat = countingSource(memorySource(await makeDataset({ place }, options)));
  });

  const [lon, lat] = [0.5375, 0.5375];
  const circle = (radiusMeters: number, limit: number, offset = 0): Query => ({
    collections: ["place"],
    circle: { lon, lat, radiusMeters },
    limit,
    offset,
  });

  test("empty filters cost nothing", async () => {
    const cost = await costOf(source, open(source), circle(20_000, 25));
    const same = await costOf(source, open(source), { ...circle(20_000, 25), filters: {} });
    expect({ ...same, result: same.result.total }).toEqual({ ...cost, result: cost.result.total });
  });

  test("a small circle is one slice of points and one of rows: manifest, page, points, rows", async () => {
    const cost = await costOf(source, open(source), circle(3000, 25));
    expect([cost.result.total, cost.points, cost.roundTrips]).toEqual([4, 1, 4]);
    expect(cost.requests).toBeLessThanOrEqual(5);
  });

  test("with the index prefetched it is only points and rows", async () => {
    const dataset = open(source);
    await dataset.prefetchIndex();
    const cost = await costOf(source, dataset, circle(3000, 25));
    expect([cost.result.total, cost.points, cost.roundTrips]).toEqual([4, 1, 2]);
    expect(cost.requests).toBeLessThanOrEqual(3);
  });

  test("the index pages above the records are read with the points", async () => {
    const files = await makeDataset({ place }, { ...options, slicesPerChunk: 1, nodesPerPage: 10 });
    const chunked = countingSource(memorySource(files));
    const dataset = open(chunked);
    await dataset.prefetchIndex();
    const cost = await costOf(chunked, dataset, circle(3000, 25));
    expect([cost.result.length, cost.points, cost.roundTrips]).toEqual([4, 1, 2]);
    expect(chunked.requests.map(({ path }) => /_(\w+)/.exec(path)?.[1]).sort()).toEqual([
      "dictionary",
      "pages",
      "points",
      "records",
    ]);
    // A count needs no records.
    const counted = await costOf(chunked, dataset, circle(20_000, 0));
    expect(chunked.requests.filter(({ path }) => !path.includes("/_points/"))).toEqual([]);
    expect(counted.result.total).toBeGreaterThan(50);
  });

  test("after a look ahead near a position, a first search there reads only points and records", async () => {
    const files = await makeDataset({ place }, { ...options, slicesPerChunk: 1, nodesPerPage: 10 });
    const chunked = countingSource(memorySource(files));
    const dataset = open(chunked);
    await dataset.prefetchIndex({ near: { lon, lat, collections: ["place"] } });
    const cost = await costOf(chunked, dataset, circle(3000, 25));
    expect(cost.result.length).toBeGreaterThan(0);
    expect(chunked.requests.map(({ path }) => /_(\w+)/.exec(path)?.[1]).sort()).toEqual(["points", "records"]);
  });

  test("the prefetched part of the index stays within the limit, level by level", async () => {
    const files = await makeDataset({ place }, { ...options, nodesPerPage: 5 });
    const deep = countingSource(memorySource(files));
    const roots = (await open(deep).manifest()).collections.place?.runs.location.nodes ?? [];
    const rootBytes = roots.reduce((sum, { bytes }) => sum + bytes, 0);
    const pagesIn = async (maxBytes: number): Promise<number> => {
      deep.reset();
      await open(deep).prefetchIndex({ maxBytes });
      return deep.requests.filter(({ path }) => path.includes("/_pages/")).length;
    };
    expect(await pagesIn(rootBytes - 1)).toBe(0);
    expect(await pagesIn(rootBytes)).toBe(roots.length);
    expect(await pagesIn(rootBytes + 100)).toBe(roots.length);
    expect(await pagesIn(Number.MAX_SAFE_INTEGER)).toBe(roots.length + 20);
  });

  test("for a large index the pages near a point are prefetched, level by level, and a circle there reads no more pages", async () => {
    const deep = countingSource(memorySource(await makeDataset({ place }, { ...options, nodesPerPage: 5 })));
    const dataset = open(deep);
    await dataset.prefetchIndex({ maxBytes: 0, near: { lon, lat, collections: ["place"] } });
    const pages = deep.requests.filter(({ path }) => path.includes("/_pages/")).length;
    const whole = open(deep);
    deep.reset();
    await whole.prefetchIndex({ maxBytes: Number.MAX_SAFE_INTEGER });
    expect(pages).toBeGreaterThan(1);
    expect(pages).toBeLessThan(deep.requests.filter(({ path }) => path.includes("/_pages/")).length / 4);
    // the circle is empty
    const cost = await costOf(deep, dataset, circle(1000, 25));
    expect([cost.points, cost.requests, cost.roundTrips]).toEqual([1, 1, 1]);
  });

  test("pages of unused collections and of other regions are not prefetched", async () => {
    const dataset = open(source);
    source.reset();
    await dataset.prefetchIndex({ maxBytes: 0, near: { lon, lat, collections: ["building"] } });
    await dataset.prefetchIndex({ maxBytes: 0, near: { lon: -120, lat, collections: ["place"] } });
    expect(source.requests.filter(({ path }) => path.includes("/_pages/"))).toEqual([]);
  });

  test("the same search again, or a pan within its partitions, sends no request", async () => {
    const dataset = open(source);
    await dataset.search(circle(3000, 25));
    expect((await costOf(source, dataset, circle(3000, 25))).requests).toBe(0);
    const pan = { ...circle(2500, 10), circle: { lon: 0.54, lat: 0.535, radiusMeters: 2500 } };
    expect((await costOf(source, dataset, pan)).requests).toBe(0);
  });

  test("a large circle reads its edge and counts its inside", async () => {
    const cost = await costOf(flat, open(flat), circle(40_000, 4));
    const { partitionsCounted } = cost.result.report;
    // partitions by the number of bbox corners inside the circle: all, or some
    const corners = Array.from({ length: 100 }, (_, block) =>
      [0, 3, 12, 15].filter((corner) => {
        const row = rows[block * 16 + corner];
        return Math.hypot((row?.lon ?? 0) - lon, (row?.lat ?? 0) - lat) * 111_195 <= 40_000;
      }),
    );
    const whole = corners.filter(({ length }) => length === 4).length;
    const crossed = corners.filter(({ length }) => length > 0 && length < 4).length;
    expect([cost.points, partitionsCounted, cost.roundTrips]).toEqual([crossed + 1, whole - 1, 3]);
    expect(cost.partitions).toBeLessThanOrEqual(1);
  });

  test("the nearest rows, at any distance, read only the points around", async () => {
    const nearest = (at: [number, number], most: number): Query => ({
      ...circle(Number.POSITIVE_INFINITY, most),
      circle: { lon: at[0], lat: at[1], radiusMeters: Number.POSITIVE_INFINITY },
      nearest: most,
    });
    const one = await costOf(source, open(source), nearest([lon, lat], 1));
    expect([one.result.total, one.points, one.roundTrips]).toEqual([1, 1, 4]);
    // the grid spans 1.6 % of the circumference: from the other side its corner is nearest
    const far = await costOf(source, open(source), nearest([-170, 0], 1));
    expect([one.result.total, far.points]).toEqual([1, 1]);
    const many = await costOf(source, open(source), nearest([lon, lat], 100));
    expect(many.result.total).toBe(100);
    expect(many.points).toBeLessThanOrEqual(21);
    const ofCountry = await costOf(source, open(source), { ...nearest([lon, lat], 5), country: "AA" });
    expect([ofCountry.result.total, ofCountry.points <= 4]).toEqual([5, true]);
  });

  test("a circle that contains everything reads only what the page needs", async () => {
    const cost = await costOf(flat, open(flat), circle(500_000, 4));
    expect([cost.result.total, cost.points, cost.result.report.partitionsCounted]).toEqual([1600, 1, 99]);
    const paged = await costOf(source, open(source), circle(500_000, 4));
    expect([paged.result.total, paged.points, paged.roundTrips]).toEqual([1600, 1, 4]);
    expect(paged.requests).toBeLessThanOrEqual(5);
  });

  test("a deep page in a large circle skips the rows before and after it", async () => {
    const cost = await costOf(flat, open(flat), circle(500_000, 25, 800));
    expect(cost.result.length).toBe(25);
    expect(cost.points).toBeLessThan(60);
    // 25 scattered rows are joined ranges of records, or slices.
    expect(cost.requests - cost.points).toBeLessThanOrEqual(9);
    expect(cost.bytes).toBeLessThan(170_000);
    const past = await costOf(flat, open(flat), circle(500_000, 25, 20_000));
    expect([past.result.length, past.result.total, past.requests]).toEqual([0, 1600, 1]);
  });

  test.each([0, 24, 1584])("a country page at row %i is a range of ids and one of records", async (offset) => {
    const query: Query = { collections: ["place"], country: "AA", limit: 16, offset };
    const cost = await costOf(source, open(source), query);
    expect([cost.result.length, cost.partitions, cost.points, cost.requests]).toEqual([16, 0, 0, 4]);
    expect(cost.roundTrips).toBe(3);
    // at most three groups of eight, a block of ids and the dictionary
    expect(cost.bytes).toBeLessThan(4 * 2048 + 200);
  });

  test("a country without rows, or a page past the end, reads only the manifest", async () => {
    const query: Query = { collections: ["place"], country: "QQ", limit: 100, offset: 0 };
    expect((await costOf(source, open(source), query)).requests).toBe(1);
    const past = await costOf(source, open(source), { ...query, country: "AA", offset: 1600 });
    expect([past.requests, past.result.total]).toEqual([1, 1600]);
  });

  test("more than the cache can hold is read again, with correct results", async () => {
    const dataset = openDataset({ source: flat, decode: decodeParquet, cacheBytes: 1 });
    const first = await costOf(flat, dataset, circle(40_000, 25));
    const second = await costOf(flat, dataset, circle(40_000, 25));
    expect(first.points).toBeGreaterThan(1);
    expect([second.points, second.bytes]).toEqual([first.points, first.bytes]);
    expect(second.result.total).toBe(first.result.total);
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe("over a dense town of 4,096 rows", () => {
  const rows = Array.from({ length: 4096 }, (_, i) => ({
    id: String(i).padStart(5, "0"),
    country: "AA",
    geometry: { type: "Point", coordinates: [(i % 64) / 1e4, Math.floor(i / 64) / 1e4] } as const,
  }));
  let source: CountingSource;
  beforeAll(async () => {
    source = countingSource(memorySource(await makeDataset({ place: rows }, { rowsPerPartition: 256 })));
  });
  const circle = { lon: 0.0012, lat: 0.0012, radiusMeters: 500 };
  const page = (offset: number): Query => ({ collections: ["place"], circle, offset, limit: 40 });

  test.each([0.0008, 0.0012])("a page at %f reads its own rows, and counts the others by their points", async (at) => {
    const query = { ...page(0), circle: { ...circle, lon: at, lat: at } };
    const { result, partitions, points, roundTrips, bytes } = await costOf(source, open(source), query);
    const within = rows.filter(({ geometry: { coordinates } }) => {
      return Math.hypot(coordinates[0] - at, coordinates[1] - at) * 111_195.08 <= circle.radiusMeters;
    });
    expect(result.total).toBe(within.length);
    // manifest, points, rows
    expect(roundTrips).toBe(3);
    expect(points).toBeGreaterThan(5);
    expect(points).toBeLessThanOrEqual(16);
    expect(partitions).toBeLessThanOrEqual(3);
    expect(bytes).toBeLessThan(110_000);
  });

  test("all pages together equal one large page", async () => {
    const whole = await open(source).search({ ...page(0), limit: 5000 });
    const dataset = open(source);
    const ids = [];
    for (let offset = 0; offset < whole.total; offset += 40) {
      const { total, features } = await dataset.search(page(offset));
      expect(total).toBe(whole.total);
      ids.push(...[...features()].map(({ id }) => id));
    }
    expect(ids).toEqual([...whole.features()].map(({ id }) => id));
  });
});

describe("over the sample", () => {
  let sample: SampleRows;
  let source: CountingSource;
  beforeAll(async () => {
    sample = await openSampleRows();
    source = countingSource(sample.source);
  });

  const centres = (count: number): Position[] => {
    const places = sample.rows.flatMap(({ collection, country, geometry }) =>
      collection === "place" && country === "US" && geometry.type === "Point" ? [geometry.coordinates] : [],
    );
    return places.filter((_, index) => index % Math.floor(places.length / count) === 0).slice(0, count);
  };

  async function costsOf(collection: CollectionName, radiusMeters: number): Promise<Cost[]> {
    const costs: Cost[] = [];
    for (const [lon, lat] of centres(40)) {
      const query = { collections: [collection], circle: { lon, lat, radiusMeters }, limit: 25, offset: 0 };
      costs.push(await costOf(source, open(source, joinRanges), query));
    }
    return costs;
  }

  const CITY = ["place", "building", "address", "segment", "connector"] as const;

  test("1 km in Boulder, cold, takes four round trips, and on average 9 requests and 135 KB", async () => {
    const averages: Record<string, number> = {};
    const requests: Record<string, number> = {};
    for (const collection of CITY) {
      const costs = await costsOf(collection, 1000);
      // The manifest, a page of the index, points, rows.
      for (const { roundTrips } of costs) expect(roundTrips, collection).toBeLessThanOrEqual(4);
      averages[collection] = mean(costs.map(({ bytes }) => bytes));
      requests[collection] = mean(costs.map((cost) => cost.requests));
    }
    expect(mean(Object.values(averages)), JSON.stringify(averages)).toBeLessThanOrEqual(135_000);
    expect(averages.place, JSON.stringify(averages)).toBeLessThanOrEqual(56_000);
    expect(mean(Object.values(requests)), JSON.stringify(requests)).toBeLessThanOrEqual(9);
    expect(requests.place, JSON.stringify(requests)).toBeLessThanOrEqual(8);
  });

  test.each(CITY)("%s: the same search again sends no request", async (collection) => {
    const dataset = open(source);
    const query: Query = {
      collections: [collection],
      circle: { lon: -105.2797, lat: 40.0176, radiusMeters: 1000 },
      limit: 25,
      offset: 0,
    };
    await dataset.search(query);
    expect((await costOf(source, dataset, query)).requests).toBe(0);
  });

  test.each(CITY)("%s: a circle of 50 km reads only points on its edge or on the page", async (collection) => {
    const { collections } = await open(source).manifest();
    const partitions = collections[collection]?.runs.location.partitions ?? 0;
    for (const { result, points } of await costsOf(collection, 50_000)) {
      expect(result.total).toBeGreaterThan(1000);
      expect(points).toBeLessThanOrEqual(Math.max(3, partitions / 3));
    }
  });

  test("any country page of 1,000 rows is a few ranges of records, without the primary copy", async () => {
    const { collections } = await open(source).manifest();
    for (const [name, { countries }] of Object.entries(collections)) {
      for (const [country, rows] of Object.entries(countries)) {
        // most countries have few divisions: one page
        if (rows < 1000 && country > "AM") continue;
        for (const offset of [0, Math.floor(rows / 2000) * 1000, Math.floor((rows - 1) / 1000) * 1000]) {
          const query: Query = { collections: [name as CollectionName], country, limit: 1000, offset };
          const cost = await costOf(source, open(source), query);
          const what = `${name} ${country} ${offset}`;
          expect([cost.partitions, cost.points], what).toEqual([0, 0]);
          // manifest, a page of the index, ids, groups, the rest of an outline
          expect(cost.roundTrips, what).toBeLessThanOrEqual(5);
          // in ranges of 512 KiB; few rows in a range each
          const ranges = cost.result.length < 1000 ? cost.result.length : 0;
          expect(cost.requests, what).toBeLessThanOrEqual(6 + Math.max(ranges, Math.ceil(cost.bytes / 400_000)));
        }
      }
    }
  });
});
