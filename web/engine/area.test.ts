import { booleanIntersects } from "@turf/boolean-intersects";
import { beforeAll, describe, expect, test } from "vitest";
import type { Area } from "../../data/format/area.ts";
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { type Geometry, type Position, positionsOf } from "../../data/format/geometry.ts";
import { compareIds } from "../../data/format/ids.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import type { Query } from "./contract/query.ts";
import { type Dataset, openDataset } from "./dataset.ts";
import { makeDataset } from "./testing/made-up-dataset.ts";
import { hardRows, oracleRows } from "./testing/made-up-rows.ts";
import { distanceTo, type OracleRow } from "./testing/oracle.ts";
import { type Random, randomFrom } from "./testing/random.ts";
import { openSample, openSampleRows } from "./testing/sample.ts";
import { countingSource, memorySource } from "./testing/sources.ts";

const COLLECTIONS: readonly CollectionName[] = ["place", "building", "segment", "division", "division_area"];
const SEARCHES = 12;

/** A star around the point with the given number of corners, and with a hole if there are many. */
function star(random: Random, [lon, lat]: Position, sizeDeg: number): readonly (readonly Position[])[] {
  const corners = random.of([3, 5, 12, 60]);
  const ring = (scale: number): Position[] => {
    const open = Array.from({ length: corners }, (_, i): Position => {
      const [angle, reach] = [(2 * Math.PI * i) / corners, scale * sizeDeg * random.between(0.5, 1)];
      return [lon + reach * Math.cos(angle), Math.max(-89, Math.min(89, lat + reach * Math.sin(angle)))];
    });
    return [...open, ...open.slice(0, 1)];
  };
  return corners > 12 ? [ring(1), ring(0.4)] : [ring(1)];
}

function randomArea(random: Random, rows: readonly OracleRow[]): Area {
  const near = (): Position => random.of([...positionsOf(random.of(rows).geometry)]);
  const size = random.magnitude(0.0005, 3);
  if (random.below(4) > 0) return { type: "Polygon", coordinates: star(random, near(), size) };
  return { type: "MultiPolygon", coordinates: [star(random, near(), size), star(random, near(), size)] };
}

const moved = (rings: readonly (readonly Position[])[], turn: number) =>
  rings.map((ring) => ring.map(([lon, lat]): Position => [lon + turn, lat]));

const boxes = new WeakMap<Geometry, BBox>();

/** The bbox without wrapping at the antimeridian. */
function boxOf(geometry: Geometry): BBox {
  const known = boxes.get(geometry);
  if (known) return known;
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon, lat] of positionsOf(geometry)) {
    [west, south, east, north] = [Math.min(west, lon), Math.min(south, lat), Math.max(east, lon), Math.max(north, lat)];
  }
  boxes.set(geometry, [west, south, east, north]);
  return [west, south, east, north];
}

/** Whether they meet, computed by another library, in any turn of the globe. */
function meet(area: Area, geometry: Geometry): boolean {
  const [own, other] = [boxOf(area), boxOf(geometry)];
  if (other[3] < own[1] || other[1] > own[3]) return false;
  const polygons = area.type === "Polygon" ? [area.coordinates] : area.coordinates;
  return [-360, 0, 360].some((turn) => {
    if (other[2] < own[0] + turn || other[0] > own[2] + turn) return false;
    return polygons.some((rings) => {
      const polygon = { type: "Polygon" as const, coordinates: moved(rings, turn) };
      return booleanIntersects(polygon as never, geometry as never);
    });
  });
}

function expectedIds(rows: readonly OracleRow[], { area, collections: [collection], country }: Query): string[] {
  if (!area) return [];
  const own = rows.filter((row) => row.collection === collection && (country === undefined || row.country === country));
  return own.flatMap(({ id, geometry }) => (meet(area, geometry) ? [id] : [])).sort(compareIds);
}

async function search(dataset: Dataset, query: Query) {
  const { total, features } = await dataset.search(query);
  const found = [...features(new Set(["ext_distance"]))];
  return {
    total,
    found: found.map(({ id, geometry, properties }) => ({ id, geometry, meters: Number(properties.ext_distance) })),
  };
}

async function check(dataset: Dataset, rows: readonly OracleRow[], query: Query): Promise<number> {
  const { total, found } = await search(dataset, query);
  const what = JSON.stringify(query);
  expect(found.map(({ id }) => id).sort(compareIds), what).toEqual(expectedIds(rows, query));
  expect(total, what).toBe(found.length);
  const [lon = 0, lat = 0] = (query.area && representativePoint(query.area)) ?? [];
  for (const [index, { id, meters, geometry }] of found.entries()) {
    const before = found[index - 1];
    if (before) expect(before.meters - meters || compareIds(before.id, id), `${what} ${id}`).toBeLessThan(0);
    if (index % 50 === 0)
      expect(Math.abs(meters - distanceTo([lon, lat], geometry)), `${what} ${id}`).toBeLessThan(0.002);
  }
  return total;
}

describe("searches in an area", () => {
  let rows: readonly OracleRow[];
  let dataset: Dataset;
  beforeAll(async () => {
    const sample = await openSampleRows();
    rows = sample.rows;
    dataset = openDataset({ source: sample.source, decode: decodeParquet });
  });

  test.each(COLLECTIONS)("%s: random areas find the same rows as a plain loop", async (collection) => {
    const random = randomFrom(collection.length);
    const own = rows.filter((row) => row.collection === collection);
    let found = 0;
    for (let i = 0; i < SEARCHES; i++) {
      const country = random.below(3) === 0 ? { country: random.of(own).country } : {};
      const query = { collections: [collection], area: randomArea(random, own), ...country, offset: 0, limit: 50_000 };
      found += await check(dataset, rows, query);
    }
    expect(found).toBeGreaterThan(SEARCHES);
  });

  test("the pages of an area add up to all results, each once", async () => {
    const random = randomFrom(7);
    const area = randomArea(
      random,
      rows.filter(({ collection }) => collection === "building"),
    );
    const query = { collections: ["building", "place"] as const, area, offset: 0, limit: 50_000 };
    const whole = await search(dataset, query);
    const limit = Math.ceil(whole.total / 4);
    const pages = await Promise.all(
      [0, 1, 2, 3].map((page) => search(dataset, { ...query, offset: page * limit, limit })),
    );
    expect(pages.map(({ total }) => total)).toEqual(Array(4).fill(whole.total));
    expect(pages.flatMap(({ found }) => found)).toEqual(whole.found);
  });

  test("area, circle and filters apply together", async () => {
    const circle = { lon: -105.2797, lat: 40.0176, radiusMeters: 900 };
    const area: Area = {
      type: "Polygon",
      coordinates: [
        [
          [-105.2797, 40],
          [-105.2, 40],
          [-105.2, 40.1],
          [-105.2797, 40.1],
          [-105.2797, 40],
        ],
      ],
    };
    const query: Query = {
      collections: ["place"],
      circle,
      filters: { atLeast: { confidence: 0.7 } },
      offset: 0,
      limit: 5000,
    };
    const inCircle = await search(dataset, query);
    const inBoth = await search(dataset, { ...query, area });
    expect(inBoth.found).toEqual(inCircle.found.filter(({ geometry }) => meet(area, geometry)));
    expect(inBoth.total).toBeGreaterThan(10);
    expect(inBoth.total).toBeLessThan(inCircle.total);
  });

  test("more than 25,000 rows are counted", async () => {
    const area: Area = {
      type: "Polygon",
      coordinates: [
        [
          [-106, 39],
          [-104, 39],
          [-104, 41],
          [-106, 41],
          [-106, 39],
        ],
      ],
    };
    const { total } = await dataset.search({ collections: ["connector"], area, offset: 0, limit: 25 });
    expect(total).toBe(expectedIds(rows, { collections: ["connector"], area, offset: 0, limit: 25 }).length);
    expect(total).toBeGreaterThan(25_000);
  });
});

test("an area across the antimeridian finds rows on both sides", async () => {
  const made = hardRows();
  const rows = oracleRows(made);
  const source = memorySource(await makeDataset(made, { nodesPerPage: 4 }));
  const dataset = openDataset({ source, decode: decodeParquet });
  const area: Area = {
    type: "Polygon",
    coordinates: [
      [
        [177, -20],
        [183, -20],
        [183, 20],
        [177, 20],
        [177, -20],
      ],
    ],
  };
  const sides = new Set<boolean>();
  for (const collection of Object.keys(made) as CollectionName[]) {
    const query = { collections: [collection], area, offset: 0, limit: 1000 };
    await check(dataset, rows, query);
    for (const { geometry } of (await search(dataset, query)).found) {
      for (const [lon] of positionsOf(geometry)) sides.add(lon > 0);
    }
  }
  expect(sides).toEqual(new Set([true, false]));
});

test("a search with a slow area yields to other tasks, and stops when its caller aborts", async () => {
  const random = randomFrom(11);
  const at = (): Position => [random.between(0, 1), random.between(0, 1)];
  const place = Array.from({ length: 2000 }, (_, i) => ({
    id: `place ${i}`,
    country: "MC",
    geometry: { type: "Point", coordinates: at() } as const,
  }));
  // all pairs of crossing edges are compared
  const ring = Array.from({ length: 20_000 }, at);
  const area: Area = { type: "Polygon", coordinates: [[...ring, ...ring.slice(0, 1)]] };
  const source = memorySource(await makeDataset({ place }));
  const dataset = openDataset({ source, decode: decodeParquet });
  const query: Query = { collections: ["place"], area, offset: 0, limit: 10 };
  const run = async (onTask: (tasks: number) => void, signal?: AbortSignal) => {
    let tasks = 0;
    const timer = setInterval(() => onTask(++tasks), 0);
    await dataset.search(query, signal ? { signal } : {}).finally(() => clearInterval(timer));
    return tasks;
  };
  await run(() => {});
  // all files are in memory, so that only the area takes time
  expect(await run(() => {})).toBeGreaterThan(5);
  const controller = new AbortController();
  const left = run((tasks) => tasks === 3 && controller.abort(), controller.signal);
  await expect(left).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
});

test("a box inside a circle costs no more than the circle", async () => {
  const { source: files } = await openSample();
  const [lon, lat, halfDeg] = [-105.2797, 40.0176, 0.005];
  const [west, south, east, north] = [lon - halfDeg, lat - halfDeg, lon + halfDeg, lat + halfDeg];
  const ring: Position[] = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const costOf = async (where: Pick<Query, "circle" | "area">) => {
    const source = countingSource(files);
    const dataset = openDataset({ source, decode: decodeParquet });
    await dataset.search({ collections: ["building"], ...where, offset: 0, limit: 25 });
    return { bytes: source.requests.reduce((sum, { bytes }) => sum + bytes, 0), roundTrips: source.roundTrips };
  };
  const circle = await costOf({ circle: { lon, lat, radiusMeters: 1000 } });
  const box = await costOf({ area: { type: "Polygon", coordinates: [ring] } });
  expect(box.bytes).toBeLessThanOrEqual(circle.bytes);
  expect(box.roundTrips).toBeLessThanOrEqual(circle.roundTrips);
});
