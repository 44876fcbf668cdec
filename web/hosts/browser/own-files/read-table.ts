/** Tables of texts: CSV, and JSON lists of plain objects. @module */
import Papa from "papaparse";
import type { Geometry } from "../../../../data/format/geometry.ts";
import { parseWkt } from "../../../../data/format/parse-wkt.ts";
import type { Json } from "../../../engine/index.ts";
import { MOST_FILE_ROWS } from "../protocol/index.ts";
import { coordinateColumns, geometryColumn } from "./coordinate-columns.ts";
import { FileError, type FileRows, takeRows } from "./file-rows.ts";
import { parseGeometry } from "./parse-geometry.ts";
import { parseJson } from "./parse-json.ts";

/** Limit on lines read. A row may span several, in quotes. */
const MOST_LINES = 10 * MOST_FILE_ROWS;

export type TableRow = Readonly<Record<string, Json>>;

/** Reads CSV with a header row. Detects the separator. Throws `FileError`. */
export function readCsv(text: string): FileRows {
  const lines = countLines(text);
  if (lines > MOST_LINES) throw new FileError({ code: "rows", rows: lines });
  const { data, meta } = Papa.parse<TableRow>(text, { header: true, skipEmptyLines: "greedy" });
  return readTable(meta.fields ?? [], data);
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/**
 * Returns rows from columns of longitude and latitude, or of WKT or GeoJSON. Throws `FileError` without such columns.
 */
export function readTable(columns: readonly string[], items: readonly TableRow[]): FileRows {
  const read = geometryReader(columns);
  if (!read) throw new FileError({ code: "columns", columns });
  return takeRows({ items, geometry: read, properties: withoutEmpty });
}

function geometryReader(columns: readonly string[]): ((row: TableRow) => Geometry | undefined) | undefined {
  const pair = coordinateColumns(columns);
  const whole = geometryColumn(columns);
  if (!pair && whole === undefined) return undefined;
  return (row) => {
    const geometry = whole === undefined ? undefined : geometryOf(row[whole]);
    if (geometry || !pair) return geometry;
    const [lon, lat] = [numberOf(row[pair.lon]), numberOf(row[pair.lat])];
    return { type: "Point", coordinates: [lon, lat] };
  };
}

function geometryOf(value: Json | undefined): Geometry | undefined {
  if (typeof value !== "string") return parseGeometry(value);
  if (!value.trimStart().startsWith("{")) return parseWkt(value);
  try {
    return parseGeometry(parseJson(value));
  } catch {
    return undefined;
  }
}

/** Degrees with a decimal point, or a decimal comma in tables with another separator. Otherwise NaN. */
function numberOf(value: Json | undefined): number {
  if (typeof value === "number") return value;
  const text = typeof value === "string" ? value.trim() : "";
  return /^[-+]?\d+([.,]\d+)?$/.test(text) ? Number(text.replace(",", ".")) : Number.NaN;
}

function withoutEmpty(row: TableRow): TableRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== "" && value !== null));
}
