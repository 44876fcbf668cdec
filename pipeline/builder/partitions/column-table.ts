/**
 * Writes column tables: row groups that end where the value or the country changes, joined into Parquet files.
 * @module
 */
import { createHash } from "node:crypto";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileMetaData } from "hyparquet";
import type { BBox } from "../../../data/format/bbox.ts";
import { joinBytes } from "../../../data/format/bytes.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import {
  TABLE_CHECK_BYTES,
  TABLE_GROUP_ROWS,
  TABLE_METADATA,
  TABLE_OWN_ROWS,
  type TableFacet,
  type TableMetadata,
  tableTerm,
} from "../../../data/format/column-tables.ts";
import { geoMetadata } from "../../../data/format/geo-metadata.ts";
import { ALL_COUNTRIES, FORMAT_VERSION, type TableNode } from "../../../data/format/manifest.ts";
import { tableFilePath } from "../../../data/format/paths.ts";
import {
  type ColumnChunk,
  chunkRange,
  footerBytesOf,
  MAGIC,
  type RowGroup,
  readMetadata,
  writeFooter,
} from "../../../data/parquet/index.ts";
import type { Database } from "../../base/database/index.ts";
import { createPack, cutByHash, type Level } from "../packs/index.ts";
import { movedGroup } from "./footers.ts";
import { copyToParquet } from "./row-target.ts";
import { batchRanges } from "./summaries.ts";

/** Consecutive rows of a table with the same value and country. */
export interface TableUnit {
  readonly value: string;
  readonly country: string;
  readonly rows: number;
}

/** A row group: half-open range of rows, with the terms of the first and the last one. */
interface PlannedGroup {
  readonly start: number;
  readonly end: number;
  readonly first: string;
  readonly last: string;
  /** Rows of the first term in earlier groups. */
  readonly before: number;
}

/**
 * Plans row groups. A unit of at least `TABLE_OWN_ROWS` rows has groups of its own, of about equal size. Smaller units share a group
 * of about that many rows.
 */
function planGroups(units: readonly TableUnit[]): PlannedGroup[] {
  const groups: PlannedGroup[] = [];
  let open: { start: number; first: string; last: string } | undefined;
  let at = 0;
  const close = (): void => {
    if (open) groups.push({ ...open, end: at, before: 0 });
    open = undefined;
  };
  for (const { value, country, rows } of units) {
    const term = tableTerm(value, country);
    if (rows >= TABLE_OWN_ROWS) {
      close();
      const count = Math.ceil(rows / TABLE_GROUP_ROWS);
      for (let part = 0; part < count; part++) {
        const [start, end] = [part, part + 1].map((index) => Math.floor((rows * index) / count)) as [number, number];
        groups.push({ start: at + start, end: at + end, first: term, last: term, before: start });
      }
      at += rows;
      continue;
    }
    open ??= { start: at, first: term, last: term };
    open.last = term;
    at += rows;
    if (at - open.start >= TABLE_OWN_ROWS) close();
  }
  close();
  return groups;
}

interface ColumnTable {
  readonly collection: CollectionName;
  readonly facet: TableFacet;
  /** Rows in the order of the run, by `rowid`, with the columns of the files and no others. */
  readonly table: string;
  readonly folder: string;
  readonly level: Level;
  readonly packBytes: number;
}

interface MadeGroup extends PlannedGroup {
  /** A Parquet file with this row group alone. */
  readonly path: string;
  readonly bytes: number;
}

/** Rows that are copied into a small table before their groups are written: DuckDB scans a complete table for each group. */
const BATCH_ROWS = 8 * TABLE_GROUP_ROWS;

/**
 * Writes the Parquet files of a column table. `units` describe all rows of `table`, in order. Returns the index nodes
 * of the files, in order.
 */
export async function writeColumnTable(
  database: Database,
  into: ColumnTable,
  units: readonly TableUnit[],
): Promise<TableNode[]> {
  const nodes: TableNode[] = [];
  const groups = await writeGroups(database, into, planGroups(units));
  const weighed = groups.map(({ first, before, bytes }) => ({ key: `${first} ${before}`, weight: bytes }));
  for (const { start, end } of cutByHash(weighed, into.packBytes))
    nodes.push(await writeTableFile(into, groups.slice(start, end)));
  return nodes;
}

async function writeGroups(
  database: Database,
  { table, folder, level }: ColumnTable,
  planned: readonly PlannedGroup[],
): Promise<MadeGroup[]> {
  const made: MadeGroup[] = new Array(planned.length);
  await database.each(batchRanges(planned, BATCH_ROWS), async (connection, batch) => {
    const [from, to] = [batch[0]?.range.start ?? 0, batch.at(-1)?.range.end ?? 0];
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE batch AS SELECT * FROM ${table} WHERE rowid >= ${from} AND rowid < ${to}`,
    );
    for (const { range, index } of batch) {
      const path = join(folder, `${crypto.randomUUID()}.tmp`);
      const sql = `SELECT * FROM batch WHERE rowid >= ${range.start - from} AND rowid < ${range.end - from} ORDER BY rowid`;
      await copyToParquet(connection, sql, path, { level, groupRows: TABLE_GROUP_ROWS });
      made[index] = { ...range, path, bytes: (await stat(path)).size };
    }
    await connection.run("DROP TABLE batch");
  });
  return made;
}

/** Joins row groups into one file. Its footer has a check of each column chunk. */
async function writeTableFile(
  { collection, facet, folder }: ColumnTable,
  groups: readonly MadeGroup[],
): Promise<TableNode> {
  const parts: Uint8Array[] = [MAGIC];
  const checks: Uint8Array[] = [];
  const rowGroups: RowGroup[] = [];
  let metadata: FileMetaData | undefined;
  let offset = MAGIC.length;
  for (const { path, start, end } of groups) {
    const bytes = await readFile(path);
    await rm(path);
    const own = readMetadata(bytes);
    const [group] = own.row_groups;
    if (!group || own.row_groups.length > 1 || Number(own.num_rows) !== end - start)
      throw new Error(`${collection}: a row group of the table has ${own.num_rows} rows, expected ${end - start}`);
    metadata ??= own;
    for (const column of group.columns) {
      const [from, to] = chunkRange(column);
      checks.push(createHash("sha256").update(bytes.subarray(from, to)).digest().subarray(0, TABLE_CHECK_BYTES));
    }
    const data = bytes.subarray(MAGIC.length, bytes.length - footerBytesOf(bytes));
    rowGroups.push(slimGroup(movedGroup(group, BigInt(offset - MAGIC.length)), [facet, "country"]));
    parts.push(data);
    offset += data.length;
  }
  const [first, last] = [groups[0], groups.at(-1)];
  if (!metadata || !first || !last) throw new Error(`${collection}: a file of a table without rows`);
  const about: TableMetadata = {
    format_version: FORMAT_VERSION,
    collection,
    facet,
    checks: Buffer.concat(checks).toString("base64"),
  };
  const rows = last.end - first.start;
  const footer = writeFooter({
    ...metadata,
    num_rows: BigInt(rows),
    row_groups: rowGroups,
    key_value_metadata: [
      { key: "geo", value: geoMetadata([], undefined, { hasCovering: false }) },
      { key: TABLE_METADATA, value: JSON.stringify(about) },
    ],
  });
  const writer = await createPack(folder);
  const written = await writer.add(joinBytes([...parts, footer]));
  const pack = await writer.finish((name) => tableFilePath(collection, name));
  return {
    ...written,
    pack,
    rows,
    bbox: WORLD,
    country: ALL_COUNTRIES,
    first_term: first.first,
    last_term: last.last,
    start: first.before,
    footer: { sha256: createHash("sha256").update(footer).digest("hex"), bytes: footer.length },
  };
}

const WORLD: BBox = [-180, -90, 180, 90];

/**
 * Removes what readers do not need, because each reader of a file reads its footer. By the statistics of numbers and of the two sort
 * columns, readers skip row groups. These stay.
 */
function slimGroup({ columns, total_byte_size, num_rows }: RowGroup, keys: readonly string[]): RowGroup {
  return { columns: columns.map((column) => slimChunk(column, keys)), total_byte_size, num_rows };
}

function slimChunk({ meta_data: data }: ColumnChunk, keys: readonly string[]): ColumnChunk {
  if (!data) throw new Error("a column chunk without metadata");
  const { type, encodings, path_in_schema, codec, num_values, total_uncompressed_size, total_compressed_size } = data;
  const { data_page_offset, dictionary_page_offset, statistics = {} } = data;
  const [name = "", ...members] = path_in_schema;
  const { min_value, max_value } = statistics;
  const isKept = members.length === 0 && (keys.includes(name) || type !== "BYTE_ARRAY");
  return {
    file_offset: 0n,
    meta_data: {
      ...{ type, encodings, path_in_schema, codec, num_values, total_uncompressed_size, total_compressed_size },
      data_page_offset,
      ...(dictionary_page_offset === undefined ? {} : { dictionary_page_offset }),
      ...(isKept && min_value !== undefined && max_value !== undefined ? { statistics: { min_value, max_value } } : {}),
    },
  };
}
