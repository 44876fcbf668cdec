/**
 * Rows of an SQL result as the page shows them: as texts, and as geometries to draw, which are in a column of WKB or GeoJSON
 * text, or in two of longitude and latitude. @module
 */
import { type Table, Type } from "apache-arrow";
import type { Geometry } from "../../../../data/format/geometry.ts";
import { writeWkt } from "../../../../data/format/wkt.ts";
import { csvLine } from "../../../search/index.ts";
import { coordinateColumns, geometryOfWkb, isOnGlobe, jsonOf, parseGeometry } from "../own-files/index.ts";

export interface Drawn {
  readonly name: string;
  /** Returns the geometry of the row; undefined if the row has none, or one outside the globe. */
  readonly read: (table: Table, row: number) => Geometry | undefined;
}

/** Number of rows that are read to find the column of geometries: the first rows may have no value. */
const LOOKED_AT = 100;

/**
 * Returns the first column with a geometry in the first 100 rows, otherwise the columns named as longitude and latitude.
 * Undefined without either.
 */
export function findDrawn(table: Table): Drawn | undefined {
  for (const [column, { name, type }] of table.schema.fields.entries()) {
    const parse = type.typeId === Type.Binary ? geometryOfWkb : type.typeId === Type.Utf8 ? geometryOfText : undefined;
    if (!parse) continue;
    const read = (chunk: Table, row: number) => onGlobe(parse(chunk.getChildAt(column)?.get(row)));
    for (let row = 0; row < Math.min(LOOKED_AT, table.numRows); row++) if (read(table, row)) return { name, read };
  }
  const pair = coordinateColumns(table.schema.fields.map(({ name }) => name));
  return pair && { name: `${pair.lon}, ${pair.lat}`, read: (chunk, row) => onGlobe(pointAt(chunk, row, pair)) };
}

function geometryOfText(value: unknown): Geometry | undefined {
  if (typeof value !== "string" || !value.startsWith("{")) return undefined;
  try {
    return parseGeometry(JSON.parse(value));
  } catch {
    return undefined;
  }
}

function pointAt(table: Table, row: number, pair: { lon: string; lat: string }): Geometry | undefined {
  const [lon, lat] = [pair.lon, pair.lat].map((name) => {
    const value: unknown = table.getChild(name)?.get(row);
    return value === null || value === undefined ? Number.NaN : Number(value);
  });
  return lon === undefined || lat === undefined ? undefined : { type: "Point", coordinates: [lon, lat] };
}

function onGlobe(geometry: Geometry | undefined): Geometry | undefined {
  return geometry && isOnGlobe(geometry) ? geometry : undefined;
}

/** Limit for a cell, such as the outline of a country. */
const MOST_CHARS = 300;

/**
 * Returns a text per column; null for a missing value. A text of more than `mostChars` UTF-16 code units is cut and ends with
 * `…`. Geometries are WKT.
 */
export function rowTexts(table: Table, row: number, mostChars = MOST_CHARS): (string | null)[] {
  return table.schema.fields.map(({ type }, column) => {
    const value: unknown = table.getChildAt(column)?.get(row);
    const geometry = type.typeId === Type.Binary ? geometryOfWkb(value) : undefined;
    const json = geometry ? writeWkt(geometry) : jsonOf(type, value);
    if (json === null) return null;
    const text = typeof json === "object" ? JSON.stringify(json) : String(json);
    return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
  });
}

/** Returns the first `mostRows` rows of the chunks as CSV in UTF-8, with a header. A missing value is an empty cell. */
export function resultCsv(chunks: readonly Table[], mostRows: number): Uint8Array {
  const [first] = chunks;
  const lines = first ? [csvLine(first.schema.fields.map(({ name }) => name))] : [];
  let left = mostRows;
  for (const chunk of chunks) {
    for (let row = 0; row < chunk.numRows && left > 0; row++, left--) {
      lines.push(csvLine(rowTexts(chunk, row, Number.POSITIVE_INFINITY).map((text) => text ?? "")));
    }
  }
  return new TextEncoder().encode(lines.join(""));
}
