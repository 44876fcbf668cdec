/**
 * Foreign GeoParquet 1.0 and 1.1, and Parquet with coordinate columns. @see https://geoparquet.org/releases/v1.1.0/
 * @module
 */
import { type Table, Type } from "apache-arrow";
import { type DecodeParquet, MAX_DECODED_BYTES, readParquetSize } from "../../../engine/index.ts";
import { MOST_FILE_ROWS } from "../protocol/index.ts";
import { rowOf } from "./arrow-values.ts";
import { geometryColumn } from "./coordinate-columns.ts";
import { FileError, type FileRows, takeRows } from "./file-rows.ts";
import { geometryOfWkb } from "./parse-geometry.ts";
import { readTable } from "./read-table.ts";

interface GeoColumn {
  readonly encoding?: unknown;
  readonly crs?: {
    readonly id?: { readonly authority?: unknown; readonly code?: unknown };
    readonly name?: unknown;
  } | null;
}

const WGS84 = new Set(["OGC:CRS84", "EPSG:4326"]);

/** Returns the rows of a Parquet file. Throws `FileError` when it cannot be read. */
export async function readGeoParquet(bytes: Uint8Array, decode: DecodeParquet): Promise<FileRows> {
  const table = await decoded(bytes, decode);
  if (table.numRows > MOST_FILE_ROWS) throw new FileError({ code: "rows", rows: table.numRows });
  const names = table.schema.fields.map(({ name }) => name);
  const primary = checkedPrimary(table) ?? geometryColumn(names);
  const column = primary === undefined ? undefined : table.getChild(primary);
  const isBinary = column && [Type.Binary, Type.LargeBinary].includes(column.type.typeId);
  if (!isBinary) {
    return readTable(
      names,
      Array.from({ length: table.numRows }, (_, row) => rowOf(table, row, new Set())),
    );
  }
  return takeRows({
    items: Array.from({ length: table.numRows }, (_, row) => row),
    geometry: (row) => geometryOfWkb(column.get(row)),
    properties: (row) => rowOf(table, row, new Set([primary])),
  });
}

async function decoded(file: Uint8Array, decode: DecodeParquet): Promise<Table> {
  try {
    const { rows, bytes } = readParquetSize(file);
    if (rows > MOST_FILE_ROWS) throw new FileError({ code: "rows", rows });
    if (bytes > MAX_DECODED_BYTES) throw new FileError({ code: "bytes", bytes });
    return await decode(file);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError({ code: "damaged", reason: error instanceof Error ? error.message : String(error) });
  }
}

/** The geometry column that the metadata names; undefined without metadata. */
function checkedPrimary(table: Table): string | undefined {
  const text = table.schema.metadata.get("geo");
  if (text === undefined) return undefined;
  let geo: { readonly primary_column?: unknown; readonly columns?: Readonly<Record<string, GeoColumn>> };
  try {
    geo = JSON.parse(text);
  } catch {
    throw new FileError({ code: "damaged", reason: "its geo metadata is not JSON" });
  }
  const primary = String(geo.primary_column);
  const { encoding, crs } = geo.columns?.[primary] ?? {};
  if (encoding !== undefined && encoding !== "WKB") {
    throw new FileError({ code: "damaged", reason: `its geometry is encoded as ${encoding}, expected WKB` });
  }
  const id = crs?.id && `${crs.id.authority}:${crs.id.code}`;
  if (crs && !WGS84.has(id ?? "")) throw new FileError({ code: "crs", crs: id ?? String(crs.name) });
  return primary;
}
