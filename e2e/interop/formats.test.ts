/**
 * Reads every format of an answer with third-party programs.
 * @module
 */
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { parquetMetadata } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bboxOf, type Geometry, positionsOf, readWkb } from "../../data/format/geometry.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import { type Api, createApi } from "../../web/api/index.ts";
import { type Dataset, type Feature, openDataset } from "../../web/engine/index.ts";
import { openSample } from "../../web/engine/testing/sample.ts";
import { decodeParquet } from "../../web/hosts/node/parquet.ts";
import { bodyOf, FORMAT_NAMES, type FormatName, formatNamed, SEARCH_PATHS, writerOf } from "../../web/search/index.ts";
import { type ReadRecord, readFormat } from "../../web/search/testing/read-format.ts";
import { installDebianPackage } from "../support/debian-package.ts";
import { HOSTILE_NAMES } from "../support/hostile-data.ts";

const run = promisify(execFile);

let dataset: Dataset;
let api: Api;
let folder: string;
beforeAll(async () => {
  const { source } = await openSample();
  dataset = openDataset({ source, decode: decodeParquet });
  api = createApi({ dataset });
  folder = await mkdtemp(join(tmpdir(), "formats-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function ask(path: string): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly headers: Headers }> {
  const response = await api(new Request(`http://maps.example${path}`));
  expect(response.status).toBe(200);
  return { bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers };
}

/** Points, lines, polygons and multi-part geometries; some without names. */
const SEARCHES: readonly (readonly [
  query: string,
  collection: "place" | "building" | "segment" | "division_area",
  country: string,
  least: number,
])[] = [
  ["/places?country=MC", "place", "MC", 299],
  ["/buildings?country=MC&types=building", "building", "MC", 299],
  ["/transportation?country=MC", "segment", "MC", 299],
  ["/divisions?country=JP", "division_area", "JP", 40],
];

/** Expected content of a record by format. Tables and waypoints have a point of it. */
function expected(format: FormatName, { id, geometry, properties }: Feature): ReadRecord {
  const isPoint = ["csv", "spreadsheet", "gpx"].includes(format);
  const point = isPoint ? representativePoint(geometry) : undefined;
  const { primary } = (properties.names ?? {}) as { readonly primary?: string };
  return { id, name: primary, geometry: point ? { type: "Point", coordinates: point } : geometry };
}

/** Positions only, because KML and GDAL represent the same shape in several ways. */
const outline = (geometry: Geometry): number[] => [...positionsOf(geometry)].flat();

function expectSame(found: readonly ReadRecord[], wanted: readonly ReadRecord[]): void {
  expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
  expect(found.map(({ name }) => name)).toEqual(wanted.map(({ name }) => name));
  for (const [index, { geometry }] of wanted.entries()) {
    const [here, there] = [outline(geometry), outline(found[index]?.geometry as Geometry)];
    const farthest = here.reduce((most, value, at) => Math.max(most, Math.abs(value - (there[at] ?? Infinity))), 0);
    expect([there.length, farthest < 1e-7], wanted[index]?.id).toEqual([here.length, true]);
  }
}

describe.each(SEARCHES)("%s", (query, collection, country, least) => {
  test.each(FORMAT_NAMES)("as %s has what the engine finds, in the same order", async (format) => {
    const { features } = await dataset.search({ collections: [collection], country, offset: 0, limit: 300 });
    const wanted = Array.from(features(), (feature) => expected(format, feature));
    expect(wanted.length).toBeGreaterThan(least);
    const { bytes, headers } = await ask(`${query}&limit=300&format=${format}`);
    expect(headers.get("Content-Type")).toBe(formatNamed(format).contentType);
    if (format !== "json") {
      const [, ending] = /^attachment; filename="[\w-]+\.(\w+)"$/.exec(headers.get("Content-Disposition") ?? "") ?? [];
      expect(ending).toBe(formatNamed(format).extension);
    }
    expectSame(
      await readFormat(format, bytes),
      wanted.map((record) => named(format, record)),
    );
  });
});

/** Names that spreadsheets would execute start with an apostrophe. XML has no control characters. */
function named(format: FormatName, record: ReadRecord): ReadRecord {
  const { name } = record;
  return format === "spreadsheet" && name !== undefined && /^[=+\-@]/.test(name)
    ? { ...record, name: `'${name}` }
    : record;
}

test("an empty answer is a complete file of each format", async () => {
  for (const format of FORMAT_NAMES) {
    const { bytes } = await ask(`/places?country=ZZ&format=${format}`);
    expect(await readFormat(format, bytes), format).toEqual([]);
  }
});

test("a single record is a complete file of each format", async () => {
  const [place] = (await dataset.search({ collections: ["place"], country: "MC", offset: 5, limit: 1 })).features();
  if (!place) throw new Error("no place");
  for (const format of FORMAT_NAMES.filter((name) => name !== "json" && name !== "geojson")) {
    const { bytes } = await ask(`/places/${place.id}?format=${format}`);
    expectSame(await readFormat(format, bytes), [expected(format, place)]);
  }
});

test("names with markup or formulas stay text in each format", async () => {
  const path = SEARCH_PATHS.find(({ path }) => path === "/places");
  if (!path) throw new Error("no path");
  const credit = { release: "<r>", attribution: [{ dataset: "d", license: '"><x/>', text: HOSTILE_NAMES.join(" ") }] };
  const features = HOSTILE_NAMES.map(
    (name, index): Feature => ({
      id: `"><${index}`,
      type: "Feature",
      geometry: { type: "Point", coordinates: [index / 7, -1e-9] },
      properties: {
        names: { primary: name },
        categories: { primary: name, alternate: [name] },
        addresses: [{ freeform: name }],
        phones: [name],
        websites: ["javascript:window.ran=1", `https://example.com/"><b>?a&b`],
        sources: [{ property: "", dataset: name, record_id: name }],
      },
    }),
  );
  const isXml = (format: FormatName) => format === "gpx" || format === "kml";
  for (const format of FORMAT_NAMES) {
    // Spreadsheets have their own test.
    if (format === "spreadsheet") continue;
    const writer = await writerOf(
      path,
      { format, properties: undefined, hasGeometry: true },
      { ...credit, collections: {} },
    );
    const result = {
      total: features.length,
      length: features.length,
      features: () => features.values(),
      json: () => features.map((feature) => new TextEncoder().encode(JSON.stringify(feature))).values(),
      report: undefined as never,
    };
    const parts = Array.from(bodyOf(writer, writer.page(result)), (piece) => Buffer.from(piece as Uint8Array));
    const bytes = new Uint8Array(Buffer.concat(parts));
    const wanted = features.map((feature) => expected(format, feature));
    const asXml = wanted.map(({ name, ...rest }) => ({ ...rest, name: name?.replaceAll("\u0000", "\uFFFD") }));
    expectSame(await readFormat(format, bytes), isXml(format) ? asXml : wanted);
    if (format === "gpx") expect(new TextDecoder().decode(bytes)).not.toContain('href="javascript');
  }
});

describe("GeoParquet", () => {
  test("DuckDB reads types, values and shapes", async () => {
    const file = join(folder, "buildings.parquet");
    await writeFile(file, (await ask("/buildings?country=MC&format=geoparquet")).bytes);
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
    const types = await rows(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '${file}')`);
    const typeOf = Object.fromEntries(types.map(({ column_name, column_type }) => [column_name, column_type]));
    expect(typeOf).toMatchObject({
      id: "VARCHAR",
      height: "DOUBLE",
      num_floors: "INTEGER",
      has_parts: "BOOLEAN",
      names: "JSON",
    });
    const found = await rows(
      `SELECT id, height, num_floors, has_parts, names ->> 'primary' AS name, hex(ST_AsWKB(geometry)) AS wkb FROM '${file}'`,
    );
    const wanted = await dataset.search({
      collections: ["building", "building_part"],
      country: "MC",
      offset: 0,
      limit: 1000,
    });
    expect(found).toHaveLength(wanted.length);
    let index = 0;
    for (const { id, geometry, properties } of wanted.features()) {
      const { wkb, ...row } = found[index++] ?? {};
      const { height = null, num_floors = null, has_parts = null, names } = properties;
      const name = (names as { readonly primary?: string } | undefined)?.primary ?? null;
      expect(row).toEqual({ id, height, num_floors, has_parts, name });
      expect(readWkb(Buffer.from(String(wkb), "hex"))).toEqual(geometry);
    }
  });

  test("the metadata contains the box, the geometry types, and the attribution", async () => {
    const { bytes } = await ask("/buildings?country=MC&format=geoparquet");
    const { key_value_metadata = [], num_rows } = parquetMetadata(bytes.buffer);
    const said = Object.fromEntries(key_value_metadata.map(({ key, value }) => [key, value]));
    expect(Number(num_rows)).toBe(1000);
    const read = await readFormat("geoparquet", bytes);
    const boxes = read.flatMap(({ geometry }) => [bboxOf(geometry) ?? []]);
    const edge = (side: number, pick: (...values: number[]) => number) =>
      pick(...boxes.map((box) => box[side] ?? Number.NaN));
    expect(JSON.parse(said.geo ?? "")).toEqual({
      version: "1.1.0",
      primary_column: "geometry",
      columns: {
        geometry: {
          encoding: "WKB",
          geometry_types: [...new Set(read.map(({ geometry }) => geometry.type))].sort(),
          bbox: [edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)],
        },
      },
    });
    const { attribution, release } = await dataset.manifest();
    expect([JSON.parse(said.attribution ?? ""), said.release]).toEqual([attribution, release]);
  });
});

test("formats that cannot contain sources and licences link to them", async () => {
  for (const path of ["/places/buildings?country=MC&limit=1", "/divisions?country=MC&limit=1"]) {
    for (const format of ["geojsonl", "spreadsheet"]) {
      const link = (await ask(`${path}&format=${format}`)).headers.get("Link") ?? "";
      expect(link).toContain('rel="last"');
      const [, target = ""] = /<([^>]*)>; rel="license"/.exec(link) ?? [];
      const { collections } = await (await api(new Request(target))).json();
      expect(collections[0].attribution).toContain("OpenStreetMap");
    }
    for (const format of ["json", "csv", "geojson", "kml"])
      expect((await ask(`${path}&format=${format}`)).headers.get("Link")).not.toContain("license");
  }
});

test("a format of shapes is refused without them", async () => {
  const response = await api(new Request("http://maps.example/divisions?country=MC&include_geometry=false&format=gpx"));
  expect([response.status, (await response.json()).message]).toEqual([
    400,
    ['include_geometry must be true with format=gpx, got "false"'],
  ]);
  const { bytes } = await ask("/divisions?country=MC&include_geometry=false&format=kml");
  expect((await readFormat("kml", bytes)).map(({ geometry }) => geometry)).toContain(null);
});

test("every format that can contain sources and licences lists them", async () => {
  const { attribution } = await dataset.manifest();
  expect(attribution.length).toBeGreaterThan(5);
  for (const format of FORMAT_NAMES.filter((name) => formatNamed(name).hasCredit)) {
    const { bytes } = await ask(`/places?country=MC&limit=1&format=${format}`);
    const text = new TextDecoder().decode(bytes).replaceAll("&apos;", "'").replaceAll("&amp;apos;", "'");
    for (const { text: line, license } of attribution)
      expect([text.includes(line), text.includes(license)], line).toEqual([true, true]);
  }
});

test("GDAL reads ids, names and shapes", async ({ skip }) => {
  try {
    if (spawnSync("ogr2ogr", ["--version"]).status !== 0) installDebianPackage("gdal-bin");
  } catch (error) {
    return skip(`GDAL is not available: ${String(error).split("\n")[0]}`);
  }
  for (const [query, collection, country] of SEARCHES) {
    const { features } = await dataset.search({ collections: [collection], country, offset: 0, limit: 200 });
    const all = [...features()];
    for (const format of ["gpx", "kml", "flatgeobuf", "geojsonl"] as const) {
      const file = join(folder, `gdal-${collection}.${formatNamed(format).extension}`);
      await writeFile(file, (await ask(`${query}&limit=200&format=${format}`)).bytes);
      const layer = format === "gpx" ? ["waypoints"] : [];
      const options = ["-lco", "COORDINATE_PRECISION=15", "-dim", "XY", "-f", "GeoJSONSeq", "/vsistdout/"];
      const { stdout } = await run("ogr2ogr", [...options, file, ...layer], { maxBuffer: 2 ** 28 });
      const read = stdout
        .trim()
        .split("\n")
        .map((line) => ofGdal(JSON.parse(line)));
      expectSame(
        read,
        all.map((feature) => expected(format, feature)),
      );
    }
  }
});

interface GdalFeature {
  readonly id?: unknown;
  readonly geometry: Geometry;
  readonly properties: Readonly<Record<string, unknown>>;
}

function ofGdal({ id, geometry, properties }: GdalFeature): ReadRecord {
  const { names, name = typeof names === "object" ? (names as { primary?: string } | null)?.primary : undefined } =
    properties;
  const other = properties.Name ?? undefined;
  return {
    id: String(properties.ogr_id ?? properties.id ?? id),
    name: (name ?? other ?? undefined) as string | undefined,
    geometry,
  };
}
