import { beforeAll, expect, test } from "vitest";
import { type Area, areaOfBox } from "../../data/format/area.ts";
import type { BBox } from "../../data/format/bbox.ts";
import { encodeGeohash, spellGeohash } from "../../data/format/geohash.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import { facetValues, type TermColumns } from "../../data/format/terms.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import type { CountGroup, CountQuery, Feature } from "./contract/query.ts";
import { type Dataset, openDataset } from "./dataset.ts";
import { openSample, type Sample } from "./testing/sample.ts";

let sample: Sample;
let dataset: Dataset;
beforeAll(async () => {
  sample = await openSample();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
}, 600_000);

const MONACO = { lon: 7.4246, lat: 43.7384 };
const BOULDER = { lon: -105.27, lat: 40.015 };

/** All rows that a search finds, which other tests compare with a plain loop. */
async function rowsOf({ collections, areas: _, group: __, ...query }: CountQuery): Promise<Feature[]> {
  const found = await dataset.search({ filters: {}, ...query, collections, offset: 0, limit: 1_000_000 });
  expect(found.length).toBe(found.total);
  return [...found.features()];
}

function valuesOf({ properties }: Feature, facet: string): string[] {
  const row = properties as TermColumns & { readonly confidence?: number };
  if (facet === "primary") return row.categories?.primary ? [row.categories.primary] : [];
  if (facet === "confidence")
    return row.confidence === undefined ? [] : [String(Math.floor(row.confidence * 10 + 1e-12))];
  if (facet === "alternate")
    return [...facetValues("category", row)].filter((each) => each !== row.categories?.primary);
  return [...facetValues(facet as "class", row)];
}

function keysOf(feature: Feature, group: CountGroup): string[] {
  if (group.by === "country") return [String(feature.properties.ext_country ?? feature.properties.country)];
  if (group.by === "facet") return valuesOf(feature, group.facet);
  const [lon = 0, lat = 0] = representativePoint(feature.geometry) ?? [];
  return [spellGeohash(encodeGeohash(lon, lat), 5 * group.chars)];
}

async function check(query: CountQuery): Promise<number> {
  const what = JSON.stringify(query).slice(0, 400);
  const [counted, rows] = await Promise.all([dataset.count(query), rowsOf(query)]);
  expect(counted.total, what).toBe(rows.length);
  const { group } = query;
  if (!group) return rows.length;
  const groups = new Map<string, number>();
  for (const key of rows.flatMap((row) => keysOf(row, group))) groups.set(key, (groups.get(key) ?? 0) + 1);
  expect(Object.fromEntries(counted.groups.map(({ key, rows: own }) => [key, own])), what).toEqual(
    Object.fromEntries(groups),
  );
  return rows.length;
}

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const RADII = [30, 200, 700, 1500, 4000, 20_000, 300_000];
const GROUPS: readonly (CountGroup | undefined)[] = [
  undefined,
  { by: "country" },
  ...[1, 2, 3, 4, 5, 6].map((chars) => ({ by: "cell", chars }) as const),
];

function shapesAround(next: () => number, { lon, lat }: typeof MONACO): readonly Partial<CountQuery>[] {
  const spread = () => (next() - 0.5) * 0.04;
  const center = { lon: lon + spread(), lat: lat + spread() };
  const box: BBox = [
    center.lon - next() * 0.03,
    center.lat - next() * 0.02,
    center.lon + next() * 0.03,
    center.lat + next() * 0.02,
  ];
  const corners = Array.from({ length: 7 }, (_, i) => {
    const [angle, reach] = [(2 * Math.PI * i) / 7, 0.002 + 0.03 * next()];
    return [center.lon + reach * Math.cos(angle), center.lat + reach * Math.sin(angle)] as const;
  });
  const area: Area = { type: "Polygon", coordinates: [[...corners, corners[0] ?? [0, 0]]] };
  return [
    { circle: { ...center, radiusMeters: RADII[Math.floor(next() * RADII.length)] ?? 1000 } },
    { area: areaOfBox(box) },
    { area },
    { circle: { ...center, radiusMeters: 1500 }, area },
  ];
}

test("counts of places equal the rows of searches, for each shape, filter and group", async () => {
  const next = random(1);
  const conditions: readonly Partial<CountQuery>[] = [
    {},
    { filters: { terms: [["category:restaurant"]] } },
    { filters: { terms: [["category:restaurant", "category:cafe"]] } },
    { filters: { atLeast: { confidence: 0.7 } } },
    { filters: { terms: [["category:hotel"]], atLeast: { confidence: 0.6 } } },
    { filters: { terms: [["brand:starbucks"]] } },
    { filters: { terms: [["taxonomy:food_and_drink"]] } },
    { filters: { terms: [["status:open"], ["category:restaurant"]] } },
    { filters: { atLeast: { confidence: 0.75 } } },
  ];
  const groups: typeof GROUPS = [
    ...GROUPS,
    ...["primary", "brand", "confidence"].map((facet) => ({ by: "facet", facet }) as const),
  ];
  let found = 0;
  for (const place of [MONACO, BOULDER]) {
    for (let round = 0; round < 4; round++) {
      for (const shape of shapesAround(next, place)) {
        const condition = conditions[Math.floor(next() * conditions.length)];
        const group = groups[Math.floor(next() * groups.length)];
        found += await check({ collections: ["place"], ...shape, ...condition, group });
      }
    }
  }
  for (const condition of conditions) {
    for (const group of [undefined, { by: "cell", chars: 4 }, { by: "facet", facet: "primary" }] as const) {
      for (const country of [undefined, "MC", ["US", "XX"], ["FR", "MC", "US"]])
        found += await check({ collections: ["place"], ...(country ? { country } : {}), ...condition, group });
    }
  }
  expect(found).toBeGreaterThan(50_000);
}, 300_000);

test("counts of shapes follow their geometries, whatever their size", async () => {
  const next = random(7);
  let found = 0;
  for (const collection of [
    "segment",
    "building",
    "land_use",
    "water",
    "infrastructure",
    "land",
    "connector",
  ] as const) {
    for (const place of [MONACO, BOULDER]) {
      for (const shape of [...shapesAround(next, place), { country: ["MC", "US"] }]) {
        const by = ["segment", "building", "land_use", "water"].includes(collection) ? ["class", "subtype"] : [];
        const groups = [...GROUPS, ...by.map((facet) => ({ by: "facet", facet }) as const)];
        const group = groups[Math.floor(next() * groups.length)];
        const filters =
          next() < 0.3 && by.length > 0
            ? { filters: { terms: [["class:residential", "class:footway", "class:park"]] } }
            : {};
        found += await check({ collections: [collection], ...shape, ...filters, group });
      }
    }
  }
  expect(found).toBeGreaterThan(20_000);
}, 300_000);

test("outlines of divisions of all sizes are counted in circles and boxes around the world", async () => {
  const next = random(3);
  let found = 0;
  for (let round = 0; round < 25; round++) {
    const circle = {
      lon: 360 * next() - 180,
      lat: 170 * next() - 85,
      radiusMeters: [1000, 100_000, 2_000_000, 9_000_000][Math.floor(next() * 4)] ?? 1,
    };
    const group = GROUPS[Math.floor(next() * GROUPS.length)];
    found += await check({ collections: ["division_area"], circle, group });
    found += await check({ collections: ["division"], circle, group });
  }
  const box: BBox = [170, -60, -170, 60];
  for (const filters of [
    { bbox: box },
    { bbox: [-180, -90, 180, 90] as BBox },
    { bbox: [2, 40, 8, 50] as BBox, terms: [["subtype:country"]] },
  ]) {
    found += await check({ collections: ["division_area"], filters, group: { by: "cell", chars: 2 } });
    found += await check({
      collections: ["division_area", "division"],
      filters,
      group: { by: "facet", facet: "subtype" },
    });
  }
  expect(found).toBeGreaterThan(20_000);
}, 300_000);
