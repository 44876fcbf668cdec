import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DuckDBType, DuckDBTypeId } from "@duckdb/node-api";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { COLLECTIONS, OVERTURE_TYPES, type OvertureType } from "../../data/format/collections.ts";
import type { Geometry } from "../../data/format/geometry.ts";
import { REJECTS_PATH } from "../../data/format/paths.ts";
import { writeWkb } from "../../data/format/write-wkb.ts";
import {
  type Database,
  type DescribedColumn,
  openDatabase,
  quoteIdentifier,
  quoteLiteral,
} from "../base/database/index.ts";
import { castColumns } from "../builder/sources/index.ts";
import { allRecords, asRecorded, buildAndVerify, storedRecords } from "../testing/build-and-verify.ts";
import { temporaryFolders } from "../testing/folders.ts";
import { readParquet } from "../testing/read-parquet.ts";

vi.setConfig({ testTimeout: 300_000 });

const newFolder = temporaryFolders();

/** Rows of each type in each format. */
const ROWS = 12;

/** Without U+FEFF, which the parser of GeoJSON collections drops. */
const ODD_TEXTS = [
  ...["", " ", "null", "NaN", "0", "*", "--", "'", '"', "\\", "{}", "[", "a\u0000b", "line\nend\r", "\t", "\u2028"],
  ...[
    "\ud800",
    "x\udc00y",
    "🙂",
    "e\u0301",
    "İstanbul",
    "ﬀ",
    "ᄀ",
    "東京",
    "مرحبا",
    "\u202eabc",
    "\uffff",
    "a".repeat(3000),
    "__proto__",
  ],
];
const text = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string(), fc.string({ unit: "grapheme" }));

const double = fc.oneof(
  fc.constantFrom(0, -0, 0.1, 1e308, -1e308, 5e-324, 2 ** 53 + 2, -1, Number.NaN, 1 / 0, -1 / 0),
  fc.double(),
);
const integer = fc.oneof(fc.constantFrom(0, -1, 2 ** 31 - 1, -(2 ** 31)), fc.integer());

/** Values of a type, null at any depth. */
function anyOf(type: DuckDBType): fc.Arbitrary<unknown> {
  return fc.option(presentOf(type), { freq: 5 });
}

function presentOf(type: DuckDBType): fc.Arbitrary<unknown> {
  switch (type.typeId) {
    case DuckDBTypeId.VARCHAR:
      return text;
    case DuckDBTypeId.DOUBLE:
      return double;
    case DuckDBTypeId.INTEGER:
      return integer;
    case DuckDBTypeId.BOOLEAN:
      return fc.boolean();
    case DuckDBTypeId.LIST:
      return fc.array(anyOf(type.valueType), { maxLength: 3 });
    case DuckDBTypeId.MAP:
      return fc.dictionary(text, anyOf(type.valueType), { maxKeys: 3, noNullPrototype: true });
    case DuckDBTypeId.STRUCT:
      return fc.record(
        Object.fromEntries(type.entryNames.map((name, i) => [name, anyOf(type.entryTypes[i] ?? type)])),
        { noNullPrototype: true },
      );
    default:
      throw new Error(`no values of ${type}`);
  }
}

interface Shape {
  readonly geometry: Geometry | null;
  /** What the answer has; undefined if the row is rejected. */
  readonly stored: Geometry | undefined;
}

const kept = (geometry: Geometry): Shape => ({ geometry, stored: geometry });
const rejected = (geometry: Geometry | null): Shape => ({ geometry, stored: undefined });
const point = (lon: number, lat: number): Geometry => ({ type: "Point", coordinates: [lon, lat] });
const SQUARE = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
] as const;

const SHAPES: readonly Shape[] = [
  kept(point(7.42, 43.73)),
  kept(point(0, 0)),
  kept(point(-180, -90)),
  kept(point(180, 90)),
  kept(point(0.1 + 0.2, -1e-300)),
  { geometry: point(180.00000000000003, 1), stored: point(180, 1) },
  { geometry: point(190, 10), stored: point(-170, 10) },
  kept({
    type: "LineString",
    coordinates: [
      [1, 1],
      [1, 1],
    ],
  }),
  kept({
    type: "LineString",
    coordinates: [
      [179, 0],
      [-179, 1],
    ],
  }),
  kept({
    type: "MultiPoint",
    coordinates: [
      [1, 1],
      [-1, -1],
      [1, 1],
    ],
  }),
  kept({
    type: "MultiLineString",
    coordinates: [
      [
        [0, 0],
        [1, 1],
      ],
      [
        [5, 5],
        [6, 6],
        [5, 5],
      ],
    ],
  }),
  kept({
    type: "Polygon",
    coordinates: [
      SQUARE,
      [
        [0.2, 0.2],
        [0.2, 0.4],
        [0.4, 0.4],
        [0.2, 0.2],
      ],
    ],
  }),
  kept({
    type: "Polygon",
    coordinates: [
      [
        [2, 2],
        [3, 3],
        [4, 4],
        [2, 2],
      ],
    ],
  }),
  kept({
    type: "Polygon",
    coordinates: [
      [
        [9, 9],
        [9, 9],
        [9, 9],
        [9, 9],
      ],
    ],
  }),
  kept({ type: "MultiPolygon", coordinates: [[SQUARE], [SQUARE]] }),
  kept({
    type: "GeometryCollection",
    geometries: [point(1, 1), { type: "GeometryCollection", geometries: [point(2, 2)] }],
  }),
  rejected(null),
  rejected(point(Number.NaN, Number.NaN)),
  rejected(point(0, 91)),
  rejected({ type: "LineString", coordinates: [] }),
  rejected({ type: "Polygon", coordinates: [[]] }),
  rejected({ type: "GeometryCollection", geometries: [] }),
];

type Values = Readonly<Record<string, unknown>>;

interface FuzzedRow extends Shape {
  readonly id: string;
  readonly values: Values;
}

function rowsOf(columns: readonly DescribedColumn[], prefix: string, seed: number): FuzzedRow[] {
  const row = fc.record({
    shape: fc.constantFrom(...SHAPES),
    id: text,
    values: fc.record(Object.fromEntries(columns.map(({ name, type }) => [name, anyOf(type)])), {
      noNullPrototype: true,
    }),
  });
  const rows = fc.sample(row, { numRuns: ROWS, seed });
  return rows.map(({ shape, id, values }, i) => ({ ...shape, id: `${prefix}-${i}-${id}`, values }));
}

/** JSON with NaN and infinities by name, as Python writes it, or in quotation marks, as DuckDB reads it. */
function withNaN(value: unknown, mark: string): string {
  const json = JSON.stringify(value, (_, item) =>
    typeof item === "number" && !Number.isFinite(item) ? `@@${item}@@` : item,
  );
  return json.replace(/"@@(.*?)@@"/g, `${mark}$1${mark}`);
}

/** An empty point has no coordinates in GeoJSON. */
function asGeoJson(geometry: Geometry | null): unknown {
  return geometry?.type === "Point" && Number.isNaN(geometry.coordinates[0])
    ? { ...geometry, coordinates: [] }
    : geometry;
}

async function writeGeoJson(path: string, rows: readonly FuzzedRow[]): Promise<void> {
  const features = rows.map(({ id, geometry, values }) => ({
    ...{ type: "Feature", id, geometry: asGeoJson(geometry), properties: values },
  }));
  await writeFile(path, withNaN({ type: "FeatureCollection", features }, ""));
}

async function writeParquet(
  database: Database,
  path: string,
  { rows, columns }: { readonly rows: readonly FuzzedRow[]; readonly columns: readonly DescribedColumn[] },
): Promise<void> {
  await database.run("CREATE OR REPLACE TABLE fuzzed (id VARCHAR, geometry BLOB, json VARCHAR)");
  const appender = await database.connection.createAppender("fuzzed");
  for (const { id, geometry, values } of rows) {
    appender.appendVarchar(id.toWellFormed());
    if (geometry) appender.appendBlob(writeWkb(geometry));
    else appender.appendNull();
    appender.appendVarchar(withNaN(wellFormed(values), '"'));
    appender.endRow();
  }
  appender.closeSync();
  const struct = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`).join(", ");
  await database.run(
    `COPY (SELECT id, geometry, unnest(CAST(json::JSON AS STRUCT(${struct}))) FROM fuzzed) TO ${quoteLiteral(path)} (FORMAT parquet)`,
  );
}

/** Lone surrogates are not UTF-8. */
function wellFormed<T>(value: T): T {
  if (typeof value === "string") return value.toWellFormed() as T;
  if (Array.isArray(value)) return value.map(wellFormed) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key.toWellFormed(), wellFormed(one)])) as T;
}

/** The columns as a record has them. */
function recordedOf(type: OvertureType, values: Values): unknown {
  const recorded = asRecorded(wellFormed(values)) as Record<string, unknown>;
  return type === "place" ? withCategories(recorded) : recorded;
}

/** Categories are filled from the taxonomy. */
function withCategories(recorded: Record<string, unknown>): unknown {
  const { categories, taxonomy, basic_category } = recorded as {
    readonly [name: string]: { readonly primary?: string; readonly alternates?: unknown } | undefined;
  };
  const primary = taxonomy?.primary ?? basic_category;
  const alternate = taxonomy?.alternates;
  const isFilled = Object.keys(categories ?? {}).length > 0 || (primary === undefined && alternate === undefined);
  return isFilled
    ? recorded
    : asRecorded({ ...recorded, categories: { primary: primary ?? null, alternate: alternate ?? null } });
}

const HALF = OVERTURE_TYPES.length / 2;

test.each([
  [1, OVERTURE_TYPES.slice(0, HALF)],
  [2, OVERTURE_TYPES.slice(HALF)],
])("verify agrees with the build of random rows, and records have their values (seed %i)", async (seed, types) => {
  const [source, folder] = [await newFolder(), await newFolder()];
  const database = await openDatabase({ folder, threads: 1 });
  const made = new Map<OvertureType, FuzzedRow[]>();
  const described = new Map<OvertureType, readonly DescribedColumn[]>();
  try {
    for (const type of types) {
      const columns = await castColumns(database, COLLECTIONS[type]);
      const [json, parquet] = [rowsOf(columns, "json", seed), rowsOf(columns, "parquet", seed + 1000)];
      await mkdir(join(source, `type=${type}`));
      await writeGeoJson(join(source, `type=${type}`, "rows.geojson"), json);
      await writeParquet(database, join(source, `type=${type}`, "rows.parquet"), { rows: parquet, columns });
      made.set(type, [...json, ...parquet]);
      described.set(type, columns);
    }
  } finally {
    database.close();
  }
  const dataset = await buildAndVerify(source, folder, "--most-rejects", "100%");
  const rejects = await readParquet(join(dataset, REJECTS_PATH));
  for (const [type, rows] of made) {
    const answered = new Map((await allRecords(dataset, type)).map((record) => [record.id, record]));
    const records = await storedRecords(dataset, type);
    expect.soft([...answered.keys()].sort()).toEqual([...records.keys()].sort());
    for (const { id: given, stored, values } of rows) {
      const id = given.toWellFormed();
      const record = records.get(id);
      const reject = rejects.find((one) => one.id === id && one.collection === type);
      expect.soft({ id, isRejected: !record }).toEqual({ id, isRejected: stored === undefined });
      expect.soft(reject === undefined || typeof reject.reason === "string").toBe(true);
      if (!record) {
        expect.soft(reject?.reason, id).toMatch(/geometry|position/);
        continue;
      }
      const own = described.get(type)?.map(({ name }) => [name, record[name] ?? null]);
      expect.soft(asRecorded(Object.fromEntries(own ?? [])), `${type} ${id}`).toEqual(recordedOf(type, values));
      expect.soft(asRecorded(answered.get(id)?.geometry), id).toEqual(asRecorded(stored));
    }
  }
});
