/** GeoParquet, Parquet with geometry types, and plain Parquet with coordinates. @see https://geoparquet.org/releases/v1.1.0/ @module */

import type { FileMetaData } from "hyparquet";
import { messageOf } from "../format/message-of.ts";
import { columnsOfObjects, type RawTable } from "./raw-table.ts";
import { membersOf, type StatedGeometry, statedGeometry } from "./stated-geometry.ts";
import { TableError } from "./table.ts";

const iso = (milliseconds: number): string | undefined =>
  Number.isNaN(new Date(milliseconds).getTime()) ? undefined : new Date(milliseconds).toISOString();

/** Days and times as text: a `Date` does not show which of both it is. */
const TIMES = {
  dateFromDays: (days: number) => iso(days * 86_400_000)?.slice(0, 10),
  timestampFromMilliseconds: (time: bigint) => iso(Number(time)),
  timestampFromMicroseconds: (time: bigint) => iso(Number(time / 1000n)),
  timestampFromNanoseconds: (time: bigint) => iso(Number(time / 1_000_000n)),
};

interface ParquetLimits {
  readonly maxRows: number;
  /** Maximum bytes of all decoded values, because a small file can contain many values. */
  readonly maxBytes: number;
}

/** Reads all rows of a Parquet file. Throws `TableError` if it is damaged, or larger than the limits. */
export async function readParquet(bytes: Uint8Array, { maxRows, maxBytes }: ParquetLimits): Promise<RawTable> {
  const [{ parquetMetadata, parquetReadObjects }, { compressors: all, decompressZstd }] = await Promise.all([
    import("hyparquet"),
    import("hyparquet-compressors"),
  ]);
  try {
    // without its length a page of Zstandard would take the memory that it claims itself
    const compressors = {
      ...all,
      ZSTD: (input: Uint8Array, length: number) => decompressZstd(input, new Uint8Array(length)),
    };
    const file = new Uint8Array(bytes).buffer;
    const metadata = parquetMetadata(file, { geoparquet: false });
    refuseLarge(await decodedBytes(file, metadata), maxBytes);
    const rows = Number(metadata.num_rows);
    if (rows > maxRows)
      throw new TableError(`the file has ${rows} rows, more than ${maxRows}: split it`, { code: "rows", rows });
    const { primary, crs } = statedIn(metadata);
    const asBytes = (value: Uint8Array) => value;
    const parsers = { geometryFromBytes: asBytes, geographyFromBytes: asBytes, ...TIMES } as object;
    const objects = await parquetReadObjects({ file, metadata, compressors, parsers, geoparquet: false, utf8: false });
    const { columns, valuesOf } = columnsOfObjects(objects);
    const plainValue = plainValues(maxBytes);
    const geometries = new Set(columns.filter((name) => name === primary || isGeometryType(metadata, name)));
    return {
      format: primary === undefined ? "parquet" : "geoparquet",
      columns,
      rows: objects.map((_, index) => ({
        line: index + 1,
        values: valuesOf(index).map((value, at) => plainValue(value, geometries.has(columns[at] ?? ""))),
      })),
      ...(crs === undefined ? {} : { crs }),
      ...(primary === undefined ? {} : { geometryColumn: primary }),
    };
  } catch (error) {
    if (error instanceof TableError) throw error;
    throw new TableError(`the Parquet file is damaged: ${messageOf(error)}`);
  }
}

function refuseLarge(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return;
  throw new TableError(`the Parquet file decodes to ${bytes} bytes or more, at most ${maxBytes} are read: split it`, {
    code: "bytes",
    bytes,
  });
}

/** Bytes of a value in a list. */
const VALUE_BYTES = 8;

/**
 * The bytes that the pages of the file decode to, by their headers: a decoder trusts these, and not the footer. A page of
 * repeated values is much smaller than its values.
 */
async function decodedBytes(file: ArrayBuffer, metadata: FileMetaData): Promise<number> {
  const { parquetHeader } = await import("hyparquet/src/column.js");
  let total = 0;
  for (const { meta_data } of metadata.row_groups.flatMap(({ columns }) => columns)) {
    if (!meta_data) continue;
    const { dictionary_page_offset, data_page_offset, total_compressed_size } = meta_data;
    const start = Number(dictionary_page_offset || data_page_offset);
    const view = new DataView(file, start, Number(total_compressed_size));
    for (const reader = { view, offset: 0 }; reader.offset < view.byteLength - 1; ) {
      const page = parquetHeader(reader);
      const { uncompressed_page_size: bytes, compressed_page_size: stored } = page;
      const values =
        (page.data_page_header ?? page.data_page_header_v2 ?? page.dictionary_page_header)?.num_values ?? 0;
      if (!(bytes >= 0 && stored >= 0 && values >= 0)) throw new Error("a page has a negative length");
      total += Math.max(bytes, values * VALUE_BYTES);
      reader.offset += stored;
    }
  }
  return total;
}

function statedIn({ key_value_metadata = [], schema }: FileMetaData): StatedGeometry {
  const metadata = new Map(key_value_metadata.map(({ key, value }) => [key, value ?? ""]));
  const element = schema.find(({ logical_type }) => /^GEO(METRY|GRAPHY)$/.test(logical_type?.type ?? ""));
  if (!element) return statedGeometry(metadata);
  const { crs } = membersOf(element.logical_type);
  return statedGeometry(metadata, { name: element.name, crs: typeof crs === "string" ? crs : undefined });
}

function isGeometryType({ schema }: FileMetaData, name: string): boolean {
  return schema.some((element) => {
    const isOwn = element.name === name;
    const isNamed = /^(geometry|geom|the_geom|wkb|wkb_geometry|shape)$/i.test(name);
    const isBytes =
      element.type === "BYTE_ARRAY" && element.converted_type === undefined && element.logical_type === undefined;
    return isOwn && (/^GEO/.test(element.logical_type?.type ?? "") || (isNamed && isBytes));
  });
}

/**
 * Returns values as JSON has them: whole numbers beyond its range become text, bytes text or hexadecimal digits, except
 * those of a geometry. Throws when bytes and texts take more than `maxBytes`: a file stores a repeated one once.
 */
function plainValues(maxBytes: number): (value: unknown, isGeometry: boolean) => unknown {
  let total = 0;

  function plainValue(value: unknown, isGeometry = false): unknown {
    if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    if (typeof value === "number") return Number.isFinite(value) ? value : null;
    if (typeof value === "string" || value instanceof Uint8Array) {
      total += value.length;
      refuseLarge(total, maxBytes);
    }
    if (typeof value !== "object" || value === null || value instanceof Date) return value;
    if (value instanceof Uint8Array) return isGeometry ? value : textOfBytes(value);
    if (Array.isArray(value)) return value.map(plainInner);
    if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>, plainInner);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainInner(one)]));
  }

  function plainInner(value: unknown): unknown {
    return value instanceof Date ? value.toISOString() : (plainValue(value) ?? null);
  }

  return plainValue;
}

function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return `\\x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  }
}
