/** Rows of a result as the page shows them: geometries to draw (WKB, GeoJSON as text, or columns of longitude and latitude), and texts. @module */
import { type Table, Type } from "apache-arrow";
import type { Geometry } from "../../../../data/format/geometry.ts";
import { writeWkt } from "../../../../data/format/wkt.ts";
import { csvLine } from "../../../search/index.ts";
import { coordinateColumns, geometryOfWkb, isOnGlobe, jsonOf, parseGeometry } from "../own-files/index.ts";

export interface Drawn {
  readonly name: string;
  /** The row's geometry; undefined where it has none that lies on the globe. */
  readonly read: (table: Table, row: number) => Geometry | undefined;
}

/** Rows that are looked at: the first may have no value. */
const LOOKED_AT = 100;

/** The first column of geometries, else longitude and latitude; undefined when there are neither among the first rows. */
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

/** Nobody reads a country's outline in a cell. */
const MOST_CHARS = 300;

/** A text for each column, at most so long; null where there is no value. */
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

/** CSV in UTF-8 of the first rows of the chunks; a value that is none is an empty cell. */
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
