import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { parquetMetadataAsync, parquetReadObjects, parquetSchema } from "hyparquet";
import { asyncBufferFromFile } from "hyparquet/src/node.js";
import { compressors } from "hyparquet-compressors";
import { beforeAll, expect, test } from "vitest";
import { bboxOf, type Geometry } from "../../data/format/geometry.ts";
import { parseManifest } from "../../data/format/manifest-schema.ts";
import { locationPackPath } from "../../data/format/paths.ts";
import { buildSample } from "../../web/engine/testing/sample.ts";
import { pythonWith } from "../support/python.ts";
import { GEOPARQUET_SCHEMA } from "./geoparquet-schema.ts";
import { pythonReaders } from "./python.ts";
import { type Box, clickhouse, duckdb, hyparquet, type Reader } from "./readers.ts";

let folder: string;
let readers: readonly Reader[];
beforeAll(async () => {
  folder = await buildSample();
  readers = [await duckdb(folder), hyparquet(folder), clickhouse(folder)];
});

test("three readers count the rows of every collection by country as in the manifest", async () => {
  const { collections } = parseManifest(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  expect(Object.keys(collections).length).toBeGreaterThan(8);
  for (const [name, { countries }] of Object.entries(collections)) {
    for (const reader of readers) expect(await reader.count(name), `${name} by ${reader.name}`).toEqual(countries);
  }
});

const CASES: readonly (readonly [collection: string, country: string, kind: string, box: Box])[] = [
  ["place", "MC", "Point", [7.42, 43.73, 7.425, 43.735]],
  ["segment", "MC", "LineString", [7.42, 43.73, 7.425, 43.735]],
  ["building", "US", "Polygon", [-105.285, 40.015, -105.28, 40.02]],
];

test.each(CASES)("three readers return the same values and geometries: %s in %s", async (collection, country, kind) => {
  const [first, ...others] = await Promise.all(readers.map((reader) => reader.read(collection, country)));
  expect(first?.length).toBeGreaterThan(500);
  expect(first?.[0]?.geometry.type).toBe(kind);
  for (const [index, rows] of others.entries()) expect(rows, readers[index + 1]?.name).toEqual(first);
});

test.each(CASES)("three readers return the same rows of a box: %s in %s", async (collection, country, _, box) => {
  const whole = await readers[0]?.read(collection, country);
  const [first, ...others] = await Promise.all(readers.map((reader) => reader.read(collection, country, box)));
  expect(first).toEqual(whole?.filter(({ geometry }) => meets(geometry, box)));
  expect(first?.length).toBeGreaterThan(5);
  expect(first?.length).toBeLessThan((whole?.length ?? 0) / 2);
  for (const [index, rows] of others.entries()) expect(rows, readers[index + 1]?.name).toEqual(first);
});

function meets(geometry: Geometry, [west, south, east, north]: Box): boolean {
  const box = bboxOf(geometry);
  return box !== undefined && box[0] <= east && box[2] >= west && box[1] <= north && box[3] >= south;
}

test("readers in Python return the same rows, all and of a box", async ({ skip }) => {
  const python = await pythonReaders(folder);
  if (typeof python === "string") return skip(python);
  expect(python.map(({ name }) => name)).toEqual(["pyarrow", "geopandas", "polars"]);
  for (const [collection, country, , box] of CASES) {
    for (const asked of [undefined, box]) {
      const expected = await readers[0]?.read(collection, country, asked);
      expect(expected?.length).toBeGreaterThan(5);
      for (const reader of python) {
        expect(await reader.read(collection, country, asked), `${collection} by ${reader.name}`).toEqual(expected);
      }
    }
  }
});

test("a single slice is a GeoParquet file, and a pack contains its slices' rows", async () => {
  const { collections } = parseManifest(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  const node = collections.place?.runs.location.nodes.find((each) => "points" in each && each.offset > 0);
  if (!node || !("points" in node)) throw new Error("no pack of several slices");
  const pack = await readFile(join(folder, locationPackPath("place", node)));
  const slice = pack.buffer.slice(pack.byteOffset + node.offset, pack.byteOffset + node.offset + node.bytes);
  const rows = await parquetReadObjects({ file: slice as ArrayBuffer, compressors, columns: ["id"] });
  expect(rows.length).toBe(node.rows);
  const ofPack = await readers[0]?.read("place", node.country);
  const known = new Set(ofPack?.map(({ id }) => id));
  expect(rows.filter(({ id }) => !known.has(String(id)))).toEqual([]);
});

const PYSTAC = `
import sys, pystac, os
catalog = pystac.Catalog.from_file(sys.argv[1])
for item in catalog.get_items(recursive=True):
    [asset] = item.assets.values()
    print(item.collection_id, item.properties["table:row_count"], os.path.getsize(asset.get_absolute_href()) > 0)
`;

test("a static client finds every file through the catalogue's links", async ({ skip }) => {
  const python = await pythonWith(["pystac"]);
  if (typeof python === "string") return skip(python);
  const rows = new Map<string, number>();
  const lines = (await python(["-c", PYSTAC, join(folder, "catalog.json")])).trim().split("\n");
  for (const line of lines) {
    const [collection = "", count, isThere] = line.split(" ");
    expect(isThere).toBe("True");
    rows.set(collection, (rows.get(collection) ?? 0) + Number(count));
  }
  const { collections } = parseManifest(JSON.parse(await readFile(join(folder, "manifest.json"), "utf8")));
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(collections).map(([name, { rows: all }]) => [name, all])),
  );
  const packs = (await readdir(folder, { recursive: true })).filter((name) => /country=..\/.*\.parquet$/.test(name));
  expect(lines).toHaveLength(packs.length);
});

test("ClickHouse makes its own points from the GeoParquet metadata", async () => {
  expect(await clickhouse(folder).points("place")).toEqual(await hyparquet(folder).read("place", "MC"));
});

test("the metadata of every primary file follows GeoParquet 1.1", async () => {
  const isGeoParquet = new Ajv({ allErrors: true, strictTuples: false, allowUnionTypes: true }).compile(
    GEOPARQUET_SCHEMA,
  );
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => /country=..\/geohash=/.test(name) && name.endsWith(".parquet"),
  );
  expect(names.length).toBeGreaterThan(20);
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

test("invalid metadata is found", async () => {
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
