/**
 * Reads Parquet files with hyparquet, which shares no code with DuckDB.
 * @module
 */
import { readFile } from "node:fs/promises";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { type Geometry, readWkb } from "../../data/format/geometry.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Reads all rows of a file; `geometry` is decoded. */
export async function readParquet(path: string): Promise<Row[]> {
  return readParquetBytes(await readFile(path));
}

/** Reads all rows of a file in memory. */
export async function readParquetBytes(content: Uint8Array): Promise<Row[]> {
  const file = content.buffer.slice(content.byteOffset, content.byteOffset + content.byteLength) as ArrayBuffer;
  const rows = await parquetReadObjects({ file, compressors, geoparquet: false, utf8: false });
  return rows.map((row) => ({ ...withNulls(row), geometry: row.geometry ? geometryOf(row) : undefined }));
}

/** hyparquet returns undefined for null lists and structs. */
function withNulls(value: unknown): Row {
  const convert = (item: unknown): unknown => {
    if (item === undefined) return null;
    if (Array.isArray(item)) return item.map(convert);
    if (typeof item !== "object" || item === null || ArrayBuffer.isView(item)) return item;
    return Object.fromEntries(Object.entries(item).map(([key, member]) => [key, convert(member)]));
  };
  return convert(value) as Row;
}

function geometryOf(row: Row): Geometry {
  return readWkb(row.geometry as Uint8Array);
}
