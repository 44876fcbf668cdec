/**
 * GeoParquet 1.1 with Overture's columns and names. Plain values and lists of texts are typed, nested values are
 * JSON.
 * @see https://geoparquet.org/releases/v1.1.0/
 * @module
 */
import type { SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { type BBox, bboxUnion } from "../../data/format/bbox.ts";
import { joinBytes } from "../../data/format/bytes.ts";
import type { Collection } from "../../data/format/collections.ts";
import { geoMetadata } from "../../data/format/geo-metadata.ts";
import { bboxOf } from "../../data/format/geometry.ts";
import { writeWkb } from "../../data/format/write-wkb.ts";
import type { Feature, Json } from "../engine/index.ts";
import type { Credit } from "./credit.ts";
import { flatText, unusedName } from "./flat-columns.ts";
import { FORMATS } from "./formats.ts";
import { bodyOf, type Frame, type Piece, type Writer } from "./frame.ts";

/** Number of records that are kept in memory before they are written together. */
const GROUP_ROWS = 10_000;

const NOTHING = new Uint8Array();

interface GeoparquetOptions {
  readonly schemas: readonly Collection[];
  readonly credit: Credit;
  /** Properties to keep; default: all. */
  readonly includes?: ReadonlySet<string> | undefined;
  /** Names of properties that only records from the user's own files have. */
  readonly others?: readonly string[] | undefined;
}

/** Returns a writer of one GeoParquet file. It cannot be used again, and it has up to 10,000 records in memory. */
export function geoparquetWriter({ schemas, credit, includes, others = [] }: GeoparquetOptions): Writer {
  const own = columnsOf(schemas).filter(([name]) => includes?.has(name) ?? true);
  const taken = new Set(["id", "geometry", ...own.map(([name]) => name)]);
  const columns = [
    ...own.map(([name, type]) => ({ name, type, property: name })),
    ...others
      .filter((property) => !own.some(([name]) => name === property))
      .map((property) => ({ name: unusedName(property.trim() || "column", taken), type: "VARCHAR", property })),
  ];
  // writing to memory is synchronous
  const bytes = new ByteWriter();
  const schema = [
    { name: "schema", num_children: columns.length + 2 },
    { ...leaf("id", "VARCHAR"), repetition_type: "REQUIRED" as const },
    { name: "geometry", type: "BYTE_ARRAY" as const, repetition_type: "REQUIRED" as const },
    ...columns.flatMap(({ name, type }) => elementsOf(name, type)),
  ];
  const parquet = new ParquetWriter({ writer: bytes, schema, createdBy: "Cairn" });
  const shapes = shapesSeen();
  let features: Feature[] = [];

  function take(): Uint8Array {
    const taken = bytes.getBytes().slice();
    bytes.index = 0;
    return taken;
  }
  function writeGroup(): Uint8Array {
    const column = (name: string, read: (feature: Feature) => unknown) => ({ name, data: features.map(read) });
    const columnData = [
      column("id", ({ id }) => id),
      column("geometry", ({ geometry }) => writeWkb(geometry)),
      ...columns.map(({ name, type, property }) =>
        column(name, ({ properties }) => valueAs(type, properties[property])),
      ),
    ];
    if (features.length > 0) void parquet.write({ columnData, rowGroupSize: features.length });
    features = [];
    return take();
  }
  function add(feature: Feature): Piece {
    shapes.see(feature);
    features.push(feature);
    return features.length < GROUP_ROWS ? NOTHING : writeGroup();
  }
  function close(): Uint8Array {
    const last = writeGroup();
    const { release, attribution } = credit;
    parquet.kvMetadata = [
      { key: "geo", value: shapes.metadata() },
      { key: "release", value: release },
      { key: "attribution", value: JSON.stringify(attribution) },
    ];
    void parquet.finish();
    return joinBytes([last, take()]);
  }

  const { contentType, extension } = FORMATS.geoparquet;
  const frame: Frame = { contentType, extension, open: take(), separator: "", close };
  return {
    ...frame,
    *page(result) {
      for (const feature of result.features(includes)) yield add(feature);
    },
    *alone(feature) {
      yield* bodyOf(frame, [add(feature)]);
    },
  };
}

/** Returns `id` and the names of the properties that records of the collections can have. */
export function propertyNames(schemas: readonly Collection[]): string[] {
  return ["id", ...columnsOf(schemas).map(([name]) => name)];
}

/** Returns the properties that records of the collections can have, and their DuckDB types. */
function columnsOf(schemas: readonly Collection[]): [name: string, type: string][] {
  const columns = new Map([
    ["ext_distance", "DOUBLE"],
    ["theme", "VARCHAR"],
    ["type", "VARCHAR"],
  ]);
  for (const { columns: own, countryRule, type } of schemas) {
    if (countryRule === "declared") columns.set("country", "VARCHAR");
    columns.set("ext_country", "VARCHAR");
    for (const { name, type } of own) if (!/^(id|geometry|bbox)$/.test(name)) columns.set(name, type);
    if (type === "place") columns.set("ext_name", "JSON");
  }
  columns.set("version", "VARCHAR");
  return [...columns];
}

/** Converts a value to the type of the column: records from other files may have any value under its name. */
function valueAs(type: string, value: Json | undefined): Json {
  switch (type) {
    case "VARCHAR":
      return typeof value === "string" ? value : flatText(value) || null;
    case "VARCHAR[]":
      return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : null;
    case "INTEGER":
      return typeof value === "number" && Math.trunc(value) === value && Math.abs(value) < 2 ** 31 ? value : null;
    case "DOUBLE":
      return typeof value === "number" ? value : null;
    case "BOOLEAN":
      return typeof value === "boolean" ? value : null;
    default:
      return value ?? null;
  }
}

function leaf(name: string, type: string): SchemaElement {
  const repetition_type = "OPTIONAL";
  switch (type) {
    case "VARCHAR":
      return { name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type };
    case "INTEGER":
      return { name, type: "INT32", repetition_type };
    case "DOUBLE":
    case "BOOLEAN":
      return { name, type, repetition_type };
    default:
      return { name, type: "BYTE_ARRAY", converted_type: "JSON", repetition_type };
  }
}

function elementsOf(name: string, type: string): SchemaElement[] {
  if (type !== "VARCHAR[]") return [leaf(name, type)];
  return [
    { name, converted_type: "LIST", repetition_type: "OPTIONAL", num_children: 1 },
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    leaf("element", "VARCHAR"),
  ];
}

/** Collects the geometry types and the bbox of the written records, for GeoParquet's metadata. */
function shapesSeen(): { see(feature: Feature): void; metadata(): string } {
  const kinds = new Set<string>();
  let box: BBox | undefined;
  return {
    see({ geometry }) {
      kinds.add(geometry.type);
      const own = bboxOf(geometry);
      if (own) box = box ? bboxUnion([box, own]) : own;
    },
    metadata: () => geoMetadata(kinds, box, { hasCovering: false }),
  };
}
