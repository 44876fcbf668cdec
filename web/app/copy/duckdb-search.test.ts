import { tableToIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { beforeAll, describe, expect, test } from "vitest";
import { knownCollection } from "../../../data/format/collections.ts";
import type { OwnColumn } from "../../../data/format/own-schema.ts";
import { type Dataset, type Feature, type Json, openDataset } from "../../engine/index.ts";
import { createWasmConsole } from "../../engine/testing/databases.ts";
import { makeDataset } from "../../engine/testing/made-up-dataset.ts";
import { hardRows } from "../../engine/testing/made-up-rows.ts";
import { randomFrom } from "../../engine/testing/random.ts";
import { buildSample } from "../../engine/testing/sample.ts";
import { memorySource } from "../../engine/testing/sources.ts";
import { openNodeDataset } from "../../hosts/node/open.ts";
import { decodeParquet } from "../../hosts/node/parquet.ts";
import { ending, pathNamed, recordsIn, SEARCH_PATHS, writerOf } from "../../search/index.ts";
import { searchArgument } from "../address/index.ts";
import { duckdbSearch } from "./duckdb-search.ts";
import { type BothWays, describeTables, keyOf, metersOf, openBothWays } from "./testing/both-ways.ts";

const BOULDER = "lat=40.0165&lng=-105.271";
const MONACO = "lat=43.7347&lng=7.4206";
const TRIANGLE = "7.4125,43.7285,7.4305,43.7345,7.4155,43.7425";

/** Fixed searches. Random circles follow. */
const SEARCHES = [
  `places?${BOULDER}&radius=1000`,
  `places?${BOULDER}&radius=1000&page=40`,
  `places?${BOULDER}&radius=300&limit=1000`,
  `places?${BOULDER}&radius=2000&categories=cafe,coffee_shop`,
  `places?${BOULDER}&radius=5000&min_confidence=0.99`,
  `places?${BOULDER}&radius=5000&brand_name=starbucks`,
  `places?${BOULDER}&radius=3000&has_contact=email,phone&min_confidence=0.9`,
  `places?${BOULDER}&radius=3000&source=meta&limit=100`,
  `places?${BOULDER}&radius=3000&operating_status=open`,
  `places?${BOULDER}&radius=3000&name=boulder`,
  `places?${MONACO}&radius=800&name=caf`,
  `places?${MONACO}&radius=1500&name=hotel%20de&categories=hotel`,
  `places?${MONACO}&radius=1500&name=%C3%89glise`,
  "places?country=MC&name=monte%20carlo",
  "places?country=MC&name=Monte-Carlo&limit=100",
  "places?country=US&name=boulder",
  "places?country=MC",
  "places?country=MC&page=3&limit=100",
  "places?country=US&brand_name=starbucks",
  "places?country=MC&min_confidence=0.5&has_contact=website",
  `places?${MONACO}&radius=700&country=FR`,
  `places?${MONACO}&radius=700&sort=confidence`,
  "places?area=7.41,43.72,7.42,43.74",
  `places?area=${TRIANGLE}&name=le`,
  `buildings?${MONACO}&radius=300&limit=100`,
  `buildings?${MONACO}&radius=900&min_floors=5`,
  `buildings?${BOULDER}&radius=2000&class=house,garage`,
  `buildings?${BOULDER}&radius=2000&min_height=10&limit=100`,
  `buildings?${BOULDER}&radius=2000&min_height=10&min_floors=2&include_unknown=min_height&limit=100`,
  `buildings?${MONACO}&radius=600&name=palais`,
  `buildings?area=${TRIANGLE}`,
  `buildings?${MONACO}&radius=500&types=building,building_part`,
  `addresses?${MONACO}&radius=800&country=MC`,
  `addresses?${BOULDER}&radius=800&name=pearl`,
  `addresses?${BOULDER}&radius=3000&name=1500%20pearl`,
  "addresses?country=MC&name=rue&limit=100",
  `base?${MONACO}&radius=400&limit=100`,
  `base?${MONACO}&radius=2000&types=water,land&page=1`,
  "base?country=MC&limit=100",
  `base?${BOULDER}&radius=1500&subtype=forest`,
  `base?${BOULDER}&radius=3000&subtype=grass`,
  `base?area=${TRIANGLE}`,
  `transportation?${BOULDER}&radius=400&limit=100`,
  `transportation?${BOULDER}&radius=200&types=segment,connector`,
  `transportation?${BOULDER}&radius=2000&class=residential,footway`,
  `transportation?${BOULDER}&radius=2000&surface=gravel,paved`,
  `transportation?${BOULDER}&radius=3000&speed_limit=25mph`,
  `transportation?${BOULDER}&radius=2000&types=connector&class=residential`,
  `transportation?${BOULDER}&radius=2000&name=broadway`,
  `divisions?${MONACO}&radius=500`,
  "divisions?country=JP&page=2",
  "divisions?country=JP&name=%E6%9D%B1",
  "divisions?country=MC&admin_level=0",
  "divisions?name=monaco",
] as const;
const RANDOM = 12;

let dataset: Dataset;
let ways: BothWays;

beforeAll(async () => {
  dataset = openNodeDataset(await buildSample());
  ways = await openBothWays(dataset);
}, 300_000);

describe("the search in DuckDB has the rows, order, count and distances of the engine", () => {
  test.each(SEARCHES)("%s", async (hash) => {
    await ways.compare(hash);
  });

  test.each(["places", "buildings", "addresses", "transportation"])("random circles: %s", async (path) => {
    const random = randomFrom(path.length);
    let found = 0;
    for (let i = 0; i < RANDOM / 4; i++) {
      const [lat, lon] = random.of([
        [40.0165, -105.271],
        [43.7347, 7.4206],
      ] as const);
      const place = `lat=${(lat + random.spread(0.01)).toFixed(6)}&lng=${(lon + random.spread(0.01)).toFixed(6)}`;
      found += await ways.compare(`${path}?${place}&radius=${Math.round(random.magnitude(50, 1500))}&limit=100`);
    }
    expect(found).toBeGreaterThan(0);
  });
});

test("most searches find something", async () => {
  const totals = await Promise.all(SEARCHES.map(async (hash) => (await ways.byEngine(ways.search(hash))).total));
  const empty = SEARCHES.filter((_, index) => totals[index] === 0);
  expect(empty.length, empty.join("; ")).toBeLessThan(6);
});

test("records have the properties of the engine's, and files of them are the same", async () => {
  for (const hash of [SEARCHES[2], "buildings?lat=43.7347&lng=7.4206&radius=200&limit=1000", "divisions?country=MC"]) {
    const search = ways.search(hash);
    const [{ records }, { body, statements }] = [await ways.byEngine(search), await ways.inDuckdb(search)];
    const plain = ({ id, geometry, properties: { ext_name: _, ...properties } }: Feature) =>
      JSON.stringify([id, geometry, sorted(withoutEmpty(properties) ?? {})]);
    expect(body.map(plain)).toEqual(records.map(plain));
    const path = pathNamed(SEARCH_PATHS, searchArgument(search).path);
    const { release, attribution, collections } = ways.manifest;
    const credit = { release, attribution, collections };
    const { all: sql, only } = statements;
    const file = await ways.console.export({ sql, only, path, format: "csv", credit });
    const writer = await writerOf(path, { format: "csv", properties: undefined, hasGeometry: true }, credit);
    const pieces = [writer.open, ...writer.page(recordsIn(records)), ending(writer)];
    expect(new TextDecoder().decode(file)).toBe(pieces.join(""));
    const parquet = await ways.console.export({ sql, only, path, format: "geoparquet", credit });
    const rows = await parquetReadObjects({ file: parquet.buffer, columns: ["id", "ext_distance"] });
    expect(rows.map(({ id }) => id)).toEqual(records.map(({ id }) => id));
    expect(rows.map(({ ext_distance: metres }) => metres ?? 0)).toEqual(records.map(metersOf));
  }
});

/** Without members that are null: an answer leaves them out at the top only. */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value === "" ? null : value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member as Json)] as const);
  const present = members.filter(([, member]) => member !== null);
  return present.length === 0 ? null : sorted(Object.fromEntries(present));
}

function sorted(value: Json): Json {
  return Object.fromEntries(Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) as Json;
}

test("circles at the antimeridian, at the poles and beyond a quarter of the globe", async () => {
  const rows = hardRows();
  const names = Object.keys(rows);
  const made = openDataset({ source: memorySource(await makeDataset(rows, {})), decode: decodeParquet });
  const own = await createWasmConsole();
  own.open(names.map(knownCollection));
  const random = randomFrom(5);
  for (const { collection, ...circle } of names.flatMap((collection) =>
    [
      { lon: 180, lat: 0, radiusMeters: 150_000 },
      { lon: -179.999, lat: 65, radiusMeters: 900_000 },
      { lon: 12, lat: 90, radiusMeters: 3_000_000 },
      { lon: random.spread(180), lat: random.spread(80), radiusMeters: 14_000_000 },
    ].map((circle) => ({ collection, ...circle })),
  )) {
    const query = { collections: [collection], circle, offset: 0, limit: 1000 };
    const expected = [...(await made.search(query)).features()];
    const near = `SELECT *, distance_metres(geometry, bbox, ${circle.lon}, ${circle.lat}) AS ext_distance FROM ${collection}
      WHERE within_circle(bbox, ${circle.lon}, ${circle.lat}, ${circle.radiusMeters})`;
    const sql = `SELECT * FROM (${near}) WHERE ext_distance <= ${circle.radiusMeters} ORDER BY ext_distance, id LIMIT 1000`;
    for (const partition of own.missing(await made.partitions(own.needs(sql)), 1e9)) {
      own.fill(partition, tableToIPC(await made.partitionTable(partition), "stream"));
    }
    const { body } = own.search({ count: "SELECT 1", rows: sql, only: collection, dataset: ways.manifest });
    expect(body.map(keyOf), JSON.stringify(circle)).toEqual(expected.map(keyOf));
    for (const [index, record] of body.entries()) {
      expect(Math.abs(metersOf(record) - metersOf(expected[index] as Feature))).toBeLessThan(0.0011);
    }
  }
});

describe("the name of a filter that SQL cannot express is returned", () => {
  const columns: OwnColumn[] = [
    { name: "Title", type: "text", role: "name" },
    { name: "Titles", type: "json", role: "names" },
    { name: "Opens", type: "text", role: "hours" },
  ];

  test.each([
    ["an order by name", "places?country=MC&sort=name", { kind: "sort" }],
    ["what is open", "shops?open_now=1", { kind: "open" }],
    ["names by language of a table", "shops?name=ab", { kind: "filter", name: "name" }],
  ])("%s", (_, hash, by) => {
    const { place } = ways.manifest.collections;
    if (!place) throw new Error("the sample has places");
    const collections = { place, shops: { ...place, schema: { columns } } };
    describeTables({ collections });
    const isOrdered = hash.includes("sort=");
    expect(duckdbSearch(ways.search(hash), { dataset: { collections }, isOrdered })).toEqual({
      kind: "prevented",
      by,
    });
  });

  test("more rows than a search orders are in the default order, which runs", () => {
    const search = ways.search("places?country=US&sort=name");
    expect(duckdbSearch(search, { dataset: ways.manifest, isOrdered: false })).toMatchObject({
      kind: "statements",
      only: "place",
    });
  });
});
