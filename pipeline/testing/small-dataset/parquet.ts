/** Primary slices, and their joint footer. @module */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FileMetaData, parquetMetadata, type RowGroup } from "hyparquet";
import { ByteWriter } from "hyparquet-writer";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";
import type { Collection } from "../../../data/format/collections.ts";
import { bboxOf } from "../../../data/format/geometry.ts";
import { writeWkb } from "../../../data/format/write-wkb.ts";
import { type Database, quoteIdentifier, quoteLiteral } from "../../base/database/index.ts";
import type { SmallRow } from "./features.ts";

/** Statistics as bytes: those of geometries are not UTF-8. */
const RAW = { stringFromBytes: (bytes: Uint8Array) => bytes };

/** The writer would truncate statistics to 16 bytes. */
const WHOLE_BOUNDS = 1 << 20;

/** Cached by a hash of the input, because most slices are made repeatedly. */
const made = new Map<string, Uint8Array>();

export interface SliceSource {
  readonly database: Database;
  /** Folder for temporary files. */
  readonly folder: string;
  readonly collection: Collection;
}

/** Returns SQL of a collection's columns. */
export function columnsSql({ columns }: Collection): string {
  const sqlOf = (name: string): string =>
    name === "geometry" ? "from_hex(geometry) AS geometry" : quoteIdentifier(name);
  return columns.map(({ name }) => sqlOf(name)).join(", ");
}

/** The specification sets ROW_GROUP_SIZE. */
export const OPTIONS = "COMPRESSION zstd, ROW_GROUP_SIZE 2048, WRITE_BLOOM_FILTER false";

interface Written {
  readonly columns: string;
  readonly options: string;
  readonly entries: Readonly<Record<string, string>>;
}

/** Writes the rows as a Parquet file with these columns and key-value entries. */
export async function writeSlice(
  { database, folder, collection }: SliceSource,
  rows: readonly SmallRow[],
  { columns, options, entries }: Written,
): Promise<Uint8Array> {
  const lines = rows.map((row) => JSON.stringify(recordOf(row))).join("\n");
  const key = createHash("sha256")
    .update([collection.name, columns, options, JSON.stringify(entries), lines].join("\0"))
    .digest("hex");
  const known = made.get(key);
  if (known) return known;
  const [source, target] = ["rows.json", "rows.parquet"].map((name) => join(folder, `.${name}`)) as [string, string];
  await writeFile(source, lines);
  const types = collection.columns.map(
    ({ name, type }) => `${quoteIdentifier(name)}: ${quoteLiteral(type === "GEOMETRY" ? "VARCHAR" : type)}`,
  );
  const pairs = Object.entries(entries).map(([name, value]) => `${name}: ${quoteLiteral(value)}`);
  await database.run(`
    COPY (SELECT ${columns} FROM read_json(${quoteLiteral(source)}, format = 'newline_delimited', columns = {${types.join(", ")}}))
    TO ${quoteLiteral(target)} (FORMAT parquet, ${options}, KV_METADATA {${pairs.join(", ")}})`);
  const bytes = new Uint8Array(await readFile(target));
  made.set(key, bytes);
  return bytes;
}

function recordOf({ id, geometry, columns }: SmallRow): object {
  const [xmin, ymin, xmax, ymax] = bboxOf(geometry) ?? [];
  const wkb = Buffer.from(writeWkb(geometry)).toString("hex");
  return { id, geometry: wkb, bbox: { xmin, xmax, ymin, ymax }, ...columns };
}

/** Returns a footer with the row groups of all slices, with offsets in the pack. */
export function joinFooters(slices: readonly Uint8Array[], entries: Readonly<Record<string, string>>): FileMetaData {
  const footers = slices.map((bytes) => parquetMetadata(bytes.slice().buffer, { geoparquet: false, parsers: RAW }));
  const [first] = footers;
  if (!first) throw new Error("no slice to join");
  let offset = 0n;
  const row_groups = footers.flatMap((footer, i) => {
    const moved = footer.row_groups.map((group) => moveGroup(group, offset));
    offset += BigInt(slices[i]?.length ?? 0);
    return moved;
  });
  return {
    ...first,
    num_rows: footers.reduce((sum, { num_rows }) => sum + num_rows, 0n),
    row_groups,
    key_value_metadata: Object.entries(entries).map(([key, value]) => ({ key, value })),
  };
}

function moveGroup(group: RowGroup, by: bigint): RowGroup {
  const columns = group.columns.map((column) => {
    const data = column.meta_data;
    if (!data) return column;
    const { data_page_offset, dictionary_page_offset } = data;
    const meta_data = {
      ...data,
      data_page_offset: data_page_offset + by,
      ...(dictionary_page_offset ? { dictionary_page_offset: dictionary_page_offset + by } : {}),
    };
    return { ...column, meta_data };
  });
  return { ...group, columns, ...(group.file_offset ? { file_offset: group.file_offset + by } : {}) };
}

/** The footer's bytes after the slices. */
export function footerBytes(metadata: FileMetaData): Uint8Array {
  const writer = new ByteWriter();
  writeMetadata(writer, metadata, WHOLE_BOUNDS);
  writer.appendUint32(0x31524150);
  return writer.getBytes();
}
