import { beforeAll, describe, expect, test } from "vitest";
import type { CollectionName } from "../../data/format/collections.ts";
import { queryTermsOf } from "../../data/format/fold.ts";
import { positionsOf } from "../../data/format/geometry.ts";
import { compareIds } from "../../data/format/ids.ts";
import { type Facet, facetValues, splitTerm, type TermColumns } from "../../data/format/terms.ts";
import { joinRanges } from "../hosts/http/join-ranges.ts";
import { decodeParquet } from "../hosts/node/parquet.ts";
import { type Dataset, type Filters, openDataset, type Query } from "./index.ts";
import { meetsBox } from "./testing/meets-box.ts";
import { distanceTo } from "./testing/oracle.ts";
import { randomFrom } from "./testing/random.ts";
import { readParquetRows } from "./testing/read-parquet.ts";
import { openSample, type Sample } from "./testing/sample.ts";
import { countingSource } from "./testing/sources.ts";

interface Row extends TermColumns {
  readonly id: string;
  readonly version: number;
  readonly confidence?: number | null;
  readonly height?: number | null;
  readonly num_floors?: number | null;
  readonly country: string;
  readonly geometry: Parameters<typeof distanceTo>[1];
}

const TESTED: readonly CollectionName[] = [
  "place",
  "building",
  "segment",
  "infrastructure",
  "division",
  "division_area",
];
const FACETS: Readonly<Record<string, readonly Facet[]>> = {
  place: ["name", "name", "name", "category", "taxonomy", "brand", "wikidata", "status", "source", "contact"],
  building: ["name", "subtype", "class"],
  segment: ["name", "subtype", "class", "surface", "speed"],
  infrastructure: ["name", "subtype", "class"],
  division: ["name", "name", "subtype", "level"],
  division_area: ["name", "name", "subtype", "level"],
};

/** Columns with minimum filters, and the range of the random values. */
const LEAST = { confidence: 1, height: 30, num_floors: 6 } as const;
const LEAST_COLUMNS: Readonly<Partial<Record<CollectionName, readonly (keyof typeof LEAST)[]>>> = {
  place: ["confidence"],
  building: ["height", "num_floors"],
};

const LONGEST_PREFIX = 12;

let sample: Sample;
let dataset: Dataset;
const rows = new Map<CollectionName, Row[]>();

/** Rows of the primary copy, read without the engine; the tests of the pipeline compare them with the sources. */
async function readRows(collection: CollectionName): Promise<Row[]> {
  const { readdir } = await import("node:fs/promises");
  const names = await readdir(`${sample.folder}/${collection}`, { recursive: true });
  const read = await Promise.all(
    names
      .filter((name) => /^country=..\/geohash=.*\.parquet$/.test(name))
      .map(async (name) => {
        const country = name.slice(8, 10);
        const records = await readParquetRows(`${sample.folder}/${collection}/${name}`);
        return records.map((record) => ({ ...record, country }) as unknown as Row);
      }),
  );
  return read.flat().sort((a, b) => compareIds(a.id, b.id));
}

beforeAll(async () => {
  sample = await openSample();
  dataset = openDataset({ source: sample.source, decode: decodeParquet });
  for (const collection of [...TESTED, "address"] as const) rows.set(collection, await readRows(collection));
});

function hasTerm(row: Row, term: string): boolean {
  const { facet, value } = splitTerm(term);
  const values = [...facetValues(facet, row)];
  return facet === "name" ? values.some((word) => word.startsWith(value)) : values.includes(value);
}

function meets(row: Row, { terms = [], atLeast, atMost, orUnknown = [], bbox }: Filters): boolean {
  if (!terms.every((anyOf) => anyOf.some((term) => hasTerm(row, term)))) return false;
  for (const [column, least] of Object.entries(atLeast ?? {})) {
    const ofUnknown = orUnknown.includes(column) ? Number.POSITIVE_INFINITY : -1;
    if (!((row[column as keyof typeof LEAST] ?? ofUnknown) >= least)) return false;
  }
  for (const [column, most] of Object.entries(atMost ?? {})) {
    const ofUnknown = orUnknown.includes(column) ? -1 : Number.POSITIVE_INFINITY;
    if (!((row[column as keyof typeof LEAST] ?? ofUnknown) <= most)) return false;
  }
  return !bbox || meetsBox(row.geometry, bbox);
}

function plainLoop({ collections, country, circle, filters = {} }: Query): { id: string; meters: number }[] {
  const found = collections.flatMap((collection) =>
    (rows.get(collection) ?? [])
      .filter((row) => (country === undefined || row.country === country) && meets(row, filters))
      .map((row) => ({ id: row.id, meters: circle ? distanceTo([circle.lon, circle.lat], row.geometry) : 0 }))
      .filter(({ meters }) => !circle || Math.round(meters * 1000) / 1000 <= circle.radiusMeters),
  );
  const rounded = found.map(({ id, meters }) => ({ id, meters: Math.round(meters * 1000) / 1000 }));
  return rounded.sort((a, b) => a.meters - b.meters || compareIds(a.id, b.id));
}

describe("random combinations of filters find the same rows as a plain loop", () => {
  test.each(TESTED)("%s", async (collection) => {
    const random = randomFrom(collection.length * 7919);
    const all = rows.get(collection) ?? [];
    for (let i = 0; i < 40; i++) {
      const clauses = Array.from({ length: 1 + random.below(3) }, () => {
        const facet = random.of(FACETS[collection] ?? []);
        const terms = Array.from({ length: 1 + random.below(2) }, () => {
          const value = random.of([...facetValues(facet, random.of(all)), "nothing-has-this"]);
          const size = facet === "name" ? 1 + random.below(6) : value.length;
          return `${facet}:${Array.from(value).slice(0, size).join("")}`;
        });
        return facet === "name" ? terms.slice(0, 1) : terms;
      });
      const columns = LEAST_COLUMNS[collection] ?? [];
      const least = columns.length === 0 ? undefined : random.of(columns);
      const near = random.of(all);
      const box = (near as unknown as { bbox: { xmin: number; ymin: number } }).bbox;
      const query: Query = {
        collections: [collection],
        filters: {
          ...(random.below(10) > 0 ? { terms: clauses } : {}),
          ...(least && random.below(2) === 0
            ? {
                ...(random.below(3) > 0 ? { atLeast: { [least]: random.between(0, LEAST[least]) } } : {}),
                ...(random.below(2) === 0 ? { atMost: { [least]: random.between(0, LEAST[least]) } } : {}),
                ...(random.below(2) === 0 ? { orUnknown: [least] } : {}),
              }
            : {}),
          ...(random.below(5) === 0
            ? { bbox: [box.xmin - 1, Math.max(-90, box.ymin - 1), box.xmin + 1, Math.min(90, box.ymin + 1)] as const }
            : {}),
        },
        ...(random.below(3) > 0 ? { country: random.of(all).country } : {}),
        ...(collection !== "division_area" && random.below(3) === 0
          ? { circle: { lon: box.xmin, lat: box.ymin, radiusMeters: random.magnitude(10, 100_000) } }
          : {}),
        offset: random.of([0, 0, 3, 50]),
        limit: random.of([1, 25, 1000]),
      };
      const expected = plainLoop(query);
      const result = await dataset.search(query);
      const ids = [...result.features(new Set())].map(({ id }) => id);
      const text = JSON.stringify(query);
      expect(result.total, text).toBe(expected.length);
      expect(ids, text).toEqual(expected.slice(query.offset, query.offset + query.limit).map(({ id }) => id));
    }
  });
});

test("an address is found by its words in any order, at the cost of its page", async () => {
  const random = randomFrom(30_4);
  const source = countingSource(sample.source);
  const all = rows.get("address") ?? [];
  for (let i = 0; i < 16; i++) {
    const { number, street, postcode, address_levels, country, geometry } = random.of(all);
    const written = [number, street, postcode, address_levels?.at(-1)?.value].filter(
      (text) => typeof text === "string",
    );
    const turn = random.below(written.length);
    const text = [...written.slice(turn), ...written.slice(0, turn)].join(", ").toUpperCase();
    const filters = { terms: queryTermsOf(text).map((word) => [`name:${word}`]) };
    const [[lon, lat] = [0, 0]] = positionsOf(geometry);
    const where = i % 2 === 0 ? { country } : { circle: { lon, lat, radiusMeters: random.magnitude(10, 5000) } };
    const query: Query = { collections: ["address"], ...where, filters, offset: 0, limit: 25 };
    const fresh = openDataset({ source, decode: decodeParquet });
    await fresh.manifest();
    source.reset();
    const result = await fresh.search(query);
    const expected = plainLoop(query);
    expect(expected.length, text).toBeGreaterThan(0);
    expect(result.total, text).toBe(expected.length);
    expect(
      [...result.features()].map(({ id }) => id),
      text,
    ).toEqual(expected.slice(0, query.limit).map(({ id }) => id));
    const bytes = source.requests.reduce((sum, request) => sum + request.bytes, 0);
    expect(bytes, text).toBeLessThan(225_000);
    expect(source.requests.length, text).toBeLessThanOrEqual(16);
  }
});

describe("prefixes of names find all their rows, in any storage layout", () => {
  test.each(["place", "segment", "division"] as const)("%s", async (collection) => {
    const random = randomFrom(collection.length * 104_729);
    const rowsOf = new Map<string, string[]>();
    for (const row of rows.get(collection) ?? []) {
      if (row.country !== "US") continue;
      const words = [...facetValues("name", row)].map((word) => Array.from(word).slice(0, LONGEST_PREFIX));
      const prefixes = words.flatMap((letters) => letters.map((_, i) => letters.slice(0, i + 1).join("")));
      for (const prefix of new Set(prefixes)) {
        const ids = rowsOf.get(prefix);
        if (ids) ids.push(row.id);
        else rowsOf.set(prefix, [row.id]);
      }
    }
    // above about a hundred rows lists are precomputed, unless another term shares them
    const many = [...rowsOf].filter(([, ids]) => ids.length > 100);
    expect(many.length).toBeGreaterThan(20);
    for (let i = 0; i < 30; i++) {
      const [prefix, ids] = random.of(many);
      const offset = random.of([0, 0, 30, ids.length - 3]);
      const filters: Filters = { terms: [[`name:${prefix}`]] };
      const result = await dataset.search({ collections: [collection], country: "US", filters, offset, limit: 25 });
      expect(result.total, prefix).toBe(ids.length);
      const found = [...result.features(new Set())].map(({ id }) => id);
      expect(found, `${prefix} from ${offset}`).toEqual(ids.slice(offset, offset + 25));
    }
  });
});

test("rows found by their terms are complete", async () => {
  const query: Query = {
    collections: ["place"],
    country: "US",
    filters: { terms: [["name:boulder"]] },
    offset: 0,
    limit: 50,
  };
  const found = [...(await dataset.search(query)).features()];
  expect(found).toHaveLength(50);
  for (const feature of found) expect(feature).toEqual(await dataset.find(["place"], feature.id));
});

test("a search by name or category costs its page", async () => {
  const names: Filters[] = [
    { terms: [["name:coffee"]] },
    { terms: [["name:bo"]] },
    { terms: [["category:restaurant"]] },
    { terms: [["name:pizza"], ["category:pizza_restaurant", "category:italian_restaurant"]] },
  ];
  for (const filters of names) {
    const source = countingSource(sample.source);
    const fresh = openDataset({ source, decode: decodeParquet });
    await fresh.manifest();
    source.reset();
    await fresh.search({ collections: ["place"], country: "US", filters, offset: 0, limit: 25 });
    const bytes = source.requests.reduce((sum, request) => sum + request.bytes, 0);
    // Lists, ids, a dictionary, and joined blocks of the page's rows.
    expect(source.requests.length, JSON.stringify(filters)).toBeLessThanOrEqual(13);
    expect(source.roundTrips, JSON.stringify(filters)).toBeLessThanOrEqual(4);
    expect(bytes, JSON.stringify(filters)).toBeLessThanOrEqual(203_000);
  }
});

test("counts of places match a plain loop", async () => {
  const all = rows.get("place") ?? [];
  const query: Query = { collections: ["place"], offset: 0, limit: 10_000 };
  const { groups: categories } = await dataset.group(query, "category");
  const expected = new Map<string, number>();
  for (const { categories: own } of all) {
    const primary = own?.primary;
    if (primary) expected.set(primary, (expected.get(primary) ?? 0) + 1);
  }
  expect(new Map(categories.map(({ value, rows: count }) => [value, count]))).toEqual(expected);
  expect(categories.map((group) => group.rows)).toEqual(categories.map((group) => group.rows).sort((a, b) => b - a));
  const { groups: countries } = await dataset.group(query, "country");
  for (const { value, rows: count } of countries)
    expect(count).toBe(all.filter(({ country }) => country === value).length);
});

/** Of each taxonomy value, the number of rows below each parent. A top value has the parent undefined. */
function countByParent(all: readonly Row[]): Map<string, Map<string | undefined, number>> {
  const found = new Map<string, Map<string | undefined, number>>();
  for (const path of all.map(({ taxonomy }) => (taxonomy?.hierarchy ?? []).filter((value) => value !== null))) {
    for (const [i, value] of path.entries()) {
      if (path.indexOf(value) !== i) continue;
      const parents = found.get(value) ?? new Map<string | undefined, number>();
      found.set(value, parents.set(path[i - 1], (parents.get(path[i - 1]) ?? 0) + 1));
    }
  }
  return found;
}

const OPEN_WITH_PHONE: Filters = { terms: [["contact:phone"], ["status:open", "status:temporarily_closed"]] };
const AROUND = { lon: -105.271, lat: 40.0165, radiusMeters: 800 };
test.each<[string, Omit<Query, "offset" | "limit">, readonly Facet[]]>([
  ["a country", { collections: ["place"], country: "MC" }, ["category", "brand", "status", "source", "contact"]],
  ["a country of two types", { collections: ["segment", "infrastructure"], country: "MC" }, ["subtype", "class"]],
  ["a country of buildings", { collections: ["building"], country: "US" }, ["subtype", "class"]],
  [
    "a country, filtered",
    { collections: ["place"], country: "MC", filters: OPEN_WITH_PHONE },
    ["category", "taxonomy"],
  ],
  ["a circle", { collections: ["place"], circle: AROUND }, ["category", "brand", "taxonomy"]],
  ["a circle, filtered", { collections: ["place"], circle: AROUND, filters: OPEN_WITH_PHONE }, ["category"]],
])("of %s, the count of a value is the number of rows that a filter on it finds", async (_, asked, facets) => {
  const query: Query = { ...asked, offset: 0, limit: 1 };
  const both = query.collections.flatMap((collection) => rows.get(collection) ?? []);
  const all = both.filter(
    (row) =>
      (query.country === undefined || row.country === query.country) &&
      (!query.circle || distanceTo([query.circle.lon, query.circle.lat], row.geometry) <= query.circle.radiusMeters) &&
      meets(row, query.filters ?? {}),
  );
  for (const facet of facets) {
    const counts = await dataset.facet(query, facet);
    const expected = new Map<string, number>();
    for (const value of all.flatMap((row) => [...facetValues(facet, row)])) {
      expected.set(value, (expected.get(value) ?? 0) + 1);
    }
    expect(expected.size).toBeGreaterThan(0);
    const order = [...expected].sort(([a, m], [b, n]) => n - m || compareIds(a, b));
    expect(
      counts.map(({ value, rows }) => ({ value, rows })),
      facet,
    ).toEqual(order.map(([value, count]) => ({ value, rows: count })));
    const rowsBelow = facet === "taxonomy" ? countByParent(all) : new Map<string, Map<string | undefined, number>>();
    for (const { value, parent } of counts) {
      const parents = rowsBelow.get(value);
      if (parents) expect(parents.get(parent ?? undefined), value).toBe(Math.max(...parents.values()));
    }
    for (const { value, rows: count } of [...counts.slice(0, 2), ...counts.slice(-1)]) {
      const terms = [...(query.filters?.terms ?? []), [`${facet}:${value}`]];
      const { total } = await dataset.search({ ...query, filters: { ...query.filters, terms } });
      expect(total, value).toBe(count);
    }
  }
});

test("values of a whole country are counted without reading rows", async () => {
  const source = countingSource(sample.source);
  const fresh = openDataset({ source: joinRanges(source), decode: decodeParquet });
  await fresh.facet({ collections: ["place"], country: "US", offset: 0, limit: 1 }, "category");
  // the manifest and the slice of the categories
  expect(source.requests.length).toBeLessThanOrEqual(2);
  expect(source.requests.reduce((sum, request) => sum + request.bytes, 0)).toBeLessThanOrEqual(150_000);
});
