import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { featuresContaining } from "@rapideditor/country-coder";
import { beforeAll, expect, test } from "vitest";
import { COLLECTIONS, OVERTURE_TYPES, type OvertureType } from "../../../data/format/collections.ts";
import { bboxOf, type Geometry, type Position } from "../../../data/format/geometry.ts";
import type { Manifest } from "../../../data/format/manifest.ts";
import { parseManifest } from "../../../data/format/manifest-schema.ts";
import { polygonContains, representativePoint } from "../../../data/format/representative-point.ts";
import { buildSample } from "../../../web/engine/testing/sample.ts";
import { filesBelow } from "../../base/disk/files.ts";
import { type Row, readParquet } from "../../testing/read-parquet.ts";

const SAMPLE = "data/sample";
let dataset: string;
let manifest: Manifest;
const sources = new Map<OvertureType, { file: string; row: Row }[]>();
const built = new Map<string, { country: string; row: Row }[]>();

beforeAll(async () => {
  dataset = await buildSample();
  manifest = parseManifest(JSON.parse(await readFile(join(dataset, "manifest.json"), "utf8")));
  const files = readdirSync(SAMPLE, { recursive: true }).map(String).sort();
  for (const type of OVERTURE_TYPES) {
    for (const file of files.filter((name) => name.endsWith(`/${type}.parquet`))) {
      const rows = (await readParquet(join(SAMPLE, file))).map((row) => ({ file, row }));
      sources.set(type, [...(sources.get(type) ?? []), ...rows]);
    }
  }
  for (const path of await filesBelow(dataset)) {
    const [, type, country] = /^(\w+)\/country=(..)\/geohash=[^/]+\/\w+\.parquet$/.exec(path) ?? [];
    if (type === undefined || country === undefined) continue;
    const rows = (await readParquet(join(dataset, path))).map((row) => ({ country, row }));
    built.set(type, [...(built.get(type) ?? []), ...rows]);
  }
});

test("another Parquet reader finds every source row exactly once, with its geometry and values", () => {
  const types = OVERTURE_TYPES.filter((type) => sources.has(type));
  expect(types.length).toBe(11);
  let rejected = 0;
  for (const type of types) {
    const expected = new Map<unknown, Row>();
    for (const { row } of sources.get(type) ?? []) {
      if (expected.has(row.id)) rejected++;
      else expected.set(row.id, row);
    }
    const rows = (built.get(type) ?? []).map(({ row }) => row);
    expect(rows.length, type).toBe(expected.size);
    expect(new Set(rows.map(({ id }) => id)).size, type).toBe(expected.size);
    // Compares all rows at once: 100,000 single expectations take longer than the build.
    const texts = rows.map((row) => [JSON.stringify(pick(row)), JSON.stringify(pick(expected.get(row.id) ?? {}))]);
    expect(texts.filter(([got, wanted]) => got !== wanted)).toEqual([]);
  }
  expect(manifest.rejects).toMatchObject({ rows: rejected, reasons: { "duplicate id": rejected } });
});

/** Columns that sources and dataset share in every release. */
function pick({ geometry, version, names, subtype, class: kind, number, confidence, sources: cited }: Row): unknown {
  return {
    geometry,
    version: version ?? 0,
    primary: (names as Row | null | undefined)?.primary ?? null,
    common: (names as Row | null | undefined)?.common ?? null,
    values: [subtype, kind, number, confidence].map((value) => value ?? null),
    datasets: (cited as Row[] | null)?.map(({ dataset: name }) => name),
  };
}

test("bbox is the double-precision box of the geometry, even if the source has another one", () => {
  for (const [type, rows] of built) {
    const wrong = rows.filter(({ row }) => {
      const [xmin, ymin, xmax, ymax] = bboxOf(row.geometry as Geometry) ?? [];
      return JSON.stringify(row.bbox) !== JSON.stringify({ xmin, xmax, ymin, ymax });
    });
    expect(wrong, type).toEqual([]);
  }
});

test("the manifest's counts are correct", () => {
  for (const [type, collection] of Object.entries(manifest.collections)) {
    const rows = built.get(type) ?? [];
    const counts: Record<string, number> = {};
    for (const { country } of rows) counts[country] = (counts[country] ?? 0) + 1;
    expect(collection.rows, type).toBe(rows.length);
    expect(collection.countries, type).toEqual(counts);
  }
  expect(manifest.collections.division?.ignored_columns).toEqual(["filename", "rn"]);
  expect(manifest.attribution.find(({ dataset: name }) => name === "GeoNames")?.license).toBe("CC-BY-4.0");
});

test("places have categories, even if only the taxonomy column contains them", () => {
  const places = (built.get("place") ?? []).map(({ row }) => row);
  for (const { categories, taxonomy, basic_category: basic } of places) {
    const expected = (taxonomy as Row | null)?.primary ?? basic ?? null;
    if (expected !== null) expect((categories as Row).primary).toBeTruthy();
  }
});

test("countries equal those found by a plain loop over the outlines", () => {
  const outlines = (sources.get("division_area") ?? [])
    .map(({ row }) => row)
    .filter(({ subtype, is_territorial: is }) => (subtype === "country" || subtype === "dependency") && is !== false)
    .map(({ country, geometry }) => ({ code: String(country), area: areaOf(geometry as Geometry), geometry }));
  const located = OVERTURE_TYPES.filter((type) => COLLECTIONS[type].countryRule === "located");
  let checked = 0;
  for (const { country, row } of located.flatMap((type) => every(built.get(type) ?? [], 40))) {
    const point = representativePoint(row.geometry as Geometry) as Position;
    const holding = outlines.filter(({ geometry }) => contains(geometry as Geometry, point));
    holding.sort((a, b) => a.area - b.area || (a.code < b.code ? -1 : 1));
    const borders = featuresContaining([point[0], point[1]]).filter(
      ({ properties }) => properties.isoStatus === "official",
    );
    const expected = holding[0]?.code ?? borders[0]?.properties.iso1A2;
    if (expected === undefined) continue;
    expect(country, `${row.id} at ${point}`).toBe(expected);
    checked++;
  }
  expect(checked).toBeGreaterThan(200);
});

function every<T>(items: readonly T[], wanted: number): T[] {
  const step = Math.max(1, Math.floor(items.length / wanted));
  return items.filter((_, i) => i % step === 0);
}

function polygons(geometry: Geometry): readonly (readonly (readonly Position[])[])[] {
  if (geometry.type === "Polygon") return [geometry.coordinates];
  return geometry.type === "MultiPolygon" ? geometry.coordinates : [];
}

function contains(geometry: Geometry, point: Position): boolean {
  return polygons(geometry).some((rings) => polygonContains(rings, point));
}

/** Area in the plane of an equal-area cylindrical projection. */
function areaOf(geometry: Geometry): number {
  const y = (lat: number): number => Math.sin((lat * Math.PI) / 180);
  const ring = (positions: readonly Position[]): number => {
    const terms = positions.slice(1).map(([lon, lat], i) => {
      const [lon0, lat0] = positions[i] as Position;
      return (lon - lon0) * (y(lat) + y(lat0));
    });
    return Math.abs(terms.reduce((sum, term) => sum + term, 0));
  };
  return polygons(geometry).reduce((sum, [outer = [], ...holes]) => {
    return sum + ring(outer) - holes.reduce((inner, hole) => inner + ring(hole), 0);
  }, 0);
}
