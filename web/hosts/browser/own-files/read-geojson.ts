/** GeoJSON from strangers; also JSON lists of objects with coordinates. @see https://www.rfc-editor.org/rfc/rfc7946 @module */
import type { Json } from "../../../engine/index.ts";
import { FileError, type FileRows, takeRows } from "./file-rows.ts";
import { parseGeometry } from "./parse-geometry.ts";
import { parseJson } from "./parse-json.ts";
import { readTable, type TableRow } from "./read-table.ts";

type Members = Readonly<Record<string, unknown>>;

/** What the older format called the only system that the present one has. */
const WGS84 = /CRS:?84$|EPSG:+4326$/i;

export function readGeoJson(text: string): FileRows {
  const value = parse(text);
  const { type, features, crs } = membersOf(value);
  const name = membersOf(membersOf(crs).properties).name;
  if (typeof name === "string" && !WGS84.test(name)) throw new FileError({ code: "crs", crs: name });
  if (type === "FeatureCollection" && Array.isArray(features)) return readFeatures(features);
  if (type === "Feature") return readFeatures([value]);
  if (parseGeometry(value)) return readFeatures([{ geometry: value }]);
  if (Array.isArray(value)) {
    if (value.every((item) => membersOf(item).type === "Feature")) return readFeatures(value);
    const columns = [...new Set(value.flatMap((item) => Object.keys(membersOf(item))))];
    return readTable(columns, value as TableRow[]);
  }
  throw new FileError({ code: "columns", columns: Object.keys(membersOf(value)) });
}

function readFeatures(items: readonly unknown[]): FileRows {
  return takeRows({
    items,
    geometry: (feature) => parseGeometry(membersOf(feature).geometry),
    properties: (feature) => {
      const { id, properties } = membersOf(feature);
      return { ...(isPlain(id) ? { id } : {}), ...(membersOf(properties) as Readonly<Record<string, Json>>) };
    },
  });
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new FileError({ code: "damaged", reason: error instanceof Error ? error.message : String(error) });
  }
}

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function isPlain(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
