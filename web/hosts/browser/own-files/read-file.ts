/**
 * Reads foreign files and detects the format from the content. Includes GeoJSON and JSON lists of objects with
 * coordinates. @see https://www.rfc-editor.org/rfc/rfc7946
 * @module
 */
import type { DecodeParquet, Json } from "../../../engine/index.ts";
import { MOST_FILE_BYTES } from "../protocol/index.ts";
import { FileError, type FileRows, takeRows } from "./file-rows.ts";
import { parseGeometry } from "./parse-geometry.ts";
import { parseJson } from "./parse-json.ts";
import { readGeoParquet } from "./read-geoparquet.ts";
import { readCsv, readTable, type TableRow } from "./read-table.ts";

/** Returns the rows of the file. Throws `FileError` when it cannot be read. */
export async function readFile(file: Blob & { readonly name: string }, decode: DecodeParquet): Promise<FileRows> {
  if (file.size > MOST_FILE_BYTES) throw new FileError({ code: "bytes", bytes: file.size });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 64)).replace(/^\u00ef\u00bb\u00bf/, "");
  if (start.startsWith("PAR1")) return readGeoParquet(bytes, decode);
  const ending = /\.([^.]+)$/.exec(file.name)?.[1]?.toLowerCase();
  if (/^\s*[{[]/.test(start)) return readGeoJson(textOf(bytes));
  if (["csv", "tsv", "txt"].includes(ending ?? "") || file.type === "text/csv") return readCsv(textOf(bytes));
  throw new FileError({ code: "format", got: ending === undefined ? file.type || file.name : `.${ending}` });
}

/** UTF-8, otherwise Windows-1252 as older programs write it. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

type Members = Readonly<Record<string, unknown>>;

/** The old GeoJSON format named its coordinate system; these are names of today's only one. */
const WGS84 = /CRS:?84$|EPSG:+4326$/i;

function readGeoJson(text: string): FileRows {
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
