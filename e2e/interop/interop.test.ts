import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { parquetMetadataAsync, parquetSchema } from "hyparquet";
import { asyncBufferFromFile } from "hyparquet/src/node.js";
import { beforeAll, expect, test } from "vitest";
import { parseManifest } from "../../data/format/manifest.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { GEOPARQUET_SCHEMA } from "./geoparquet-schema.ts";
import { clickhouse, duckdb, hyparquet, type Reader } from "./readers.ts";

let folder: string;
let readers: readonly Reader[];
beforeAll(async () => {
  folder = await buildSample();
  readers = [await duckdb(folder), hyparquet(folder), clickhouse(folder)];
});

test("three readers count the rows that the manifest says, of every collection by country", async () => {
  const { collections } = parseManifest(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  expect(Object.keys(collections).length).toBeGreaterThan(8);
  for (const [name, { countries }] of Object.entries(collections)) {
    for (const reader of readers) expect(await reader.count(name), `${name} by ${reader.name}`).toEqual(countries);
  }
});

test.each([
  ["place", "MC", "Point"],
  ["segment", "MC", "LineString"],
  ["building", "US", "Polygon"],
])("three readers give the same values and geometries: %s in %s", async (collection, country, kind) => {
  const [first, ...others] = await Promise.all(readers.map((reader) => reader.read(collection, country)));
  expect(first?.length).toBeGreaterThan(500);
  expect(first?.[0]?.geometry.type).toBe(kind);
  for (const [index, rows] of others.entries()) expect(rows, readers[index + 1]?.name).toEqual(first);
});

test("ClickHouse makes points of its own of the GeoParquet metadata", async () => {
  expect(await clickhouse(folder).points("place")).toEqual(await hyparquet(folder).read("place", "MC"));
});

test("the metadata of every file of the primary copy follows GeoParquet 1.1", async () => {
  const isGeoParquet = new Ajv({ allErrors: true, strictTuples: false, allowUnionTypes: true }).compile(
    GEOPARQUET_SCHEMA,
  );
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => /country=..\/geohash=/.test(name) && name.endsWith(".parquet"),
  );
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) {
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(join(folder, name)));
    const geo = metadata.key_value_metadata?.find(({ key }) => key === "geo")?.value ?? "null";
    expect(isGeoParquet(JSON.parse(geo)), `${name}: ${JSON.stringify(isGeoParquet.errors)}`).toBe(true);
    const columns = parquetSchema(metadata).children;
    const bbox = columns.find(({ element }) => element.name === "bbox");
    expect(bbox?.children.map(({ element }) => element.name).sort(), name).toEqual(["xmax", "xmin", "ymax", "ymin"]);
    expect(columns.map(({ element }) => element.name)).not.toContain("country");
  }
});

test("metadata that breaks a rule is found", async () => {
  const isGeoParquet = new Ajv({ strictTuples: false, allowUnionTypes: true }).compile(GEOPARQUET_SCHEMA);
  const column = { encoding: "WKB", geometry_types: ["Point"] };
  const right = { version: "1.1.0", primary_column: "geometry", columns: { geometry: column } };
  expect(isGeoParquet(right)).toBe(true);
  for (const wrong of [
    { ...right, version: "1.0.0" },
    { ...right, columns: {} },
    { ...right, columns: { geometry: { ...column, geometry_types: ["Dot"] } } },
    { ...right, columns: { geometry: { ...column, bbox: [1, 2, 3] } } },
    { ...right, columns: { geometry: { ...column, covering: { bbox: { xmin: ["bbox", "xmin"] } } } } },
  ]) {
    expect(isGeoParquet(wrong), JSON.stringify(wrong)).toBe(false);
  }
});
