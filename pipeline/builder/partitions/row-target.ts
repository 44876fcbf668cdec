import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Database, quoteIdentifier, quoteLiteral } from "../../base/database/index.ts";
import { type Level, ZSTD_LEVEL } from "../packs/index.ts";
import type { KeyRange } from "./cut-buckets.ts";

/** Rows of a row group in a slice of the location run. */
export const ROW_GROUP_ROWS = 2048;

const TARGET_BYTES = 256 * 1024;
const LEAST_ROWS = 256;
/** Rows of a slice at most. */
export const MOST_ROWS = 4 * ROW_GROUP_ROWS;

/** Level 15 takes three to sixteen times as long to measure, and makes slices smaller by this factor on average. */
const FAST_TO_SMALL = 1.12;

/** Samples complete cells, because adjacent rows compress together as in a slice. */
const SAMPLED_CELLS = 16;

/**
 * Returns the maximum rows of a slice for rows of this size in bytes: about 256 KiB, in multiples of 256 rows, 256 to
 * 8,192.
 */
export function rowTarget(bytesPerRow: number): number {
  const rows = Math.floor(TARGET_BYTES / bytesPerRow / LEAST_ROWS) * LEAST_ROWS;
  return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, rows));
}

/**
 * Returns up to 16 cells as a sample, of those that are full enough, with the lowest hashes of their positions. So
 * changed rows in other cells do not change the sample. No cell is in two batches. Only the picked cells are held in
 * memory.
 */
export async function sampleCells(batches: AsyncIterable<readonly KeyRange[]>): Promise<KeyRange[]> {
  let fullest = 0;
  let picked: { readonly cell: KeyRange; readonly hash: string }[] = [];
  for await (const cells of batches) {
    fullest = cells.reduce((most, { rows }) => Math.max(most, rows), fullest);
    const isFull = ({ rows }: KeyRange): boolean => rows >= Math.min(ROW_GROUP_ROWS, fullest) / 2;
    const more = cells
      .filter(isFull)
      .map((cell) => ({ cell, hash: createHash("sha256").update(String(cell.start)).digest("hex") }));
    picked = [...picked.filter(({ cell }) => isFull(cell)), ...more].sort((a, b) => (a.hash < b.hash ? -1 : 1));
    // Until then, fuller cells may replace these.
    if (fullest >= ROW_GROUP_ROWS) picked = picked.slice(0, SAMPLED_CELLS);
  }
  return picked.slice(0, SAMPLED_CELLS).map(({ cell }) => cell);
}

interface MeasuredRows {
  /** Name of a table that has at least the rows of the cells. */
  readonly table: string;
  readonly columns: readonly string[];
  readonly folder: string;
}

/**
 * Returns the estimated bytes of a row in a slice of level `small`, from the compressed size of sample cells. NaN
 * without cells. Leaves the measured files in `folder`.
 */
export async function measureRowBytes(
  database: Database,
  { table, columns, folder }: MeasuredRows,
  cells: readonly KeyRange[],
): Promise<number> {
  const list = columns.map(quoteIdentifier).join(", ");
  let bytes = 0;
  let measured = 0;
  await database.each(cells, async (connection, cell) => {
    const path = join(folder, `${cell.start}.parquet`);
    const where = `_location >= ${cell.start} AND _location < ${cell.end}`;
    const sql = `SELECT ${list} FROM ${table} WHERE ${where} ORDER BY _location, id LIMIT ${ROW_GROUP_ROWS}`;
    // One level for all builds, so that slices have the same rows at each level.
    await copyToParquet(connection, sql, path, { level: "fast" });
    const { size } = await stat(path);
    bytes += size;
    measured += Math.min(cell.rows, ROW_GROUP_ROWS);
  });
  return bytes / measured / FAST_TO_SMALL;
}

interface ParquetOptions {
  readonly level: Level;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Rows of a row group, a multiple of 2,048. */
  readonly groupRows?: number;
}

/**
 * Writes the rows of a query to a Parquet file, in order. Row groups are exact and bytes reproducible only on one
 * thread (as in `each`), if the query has an ORDER BY or gives at most one row group.
 */
export async function copyToParquet(
  database: Database,
  sql: string,
  path: string,
  options: ParquetOptions,
): Promise<void> {
  await database.run(`COPY (${sql}) TO ${quoteLiteral(path)} (${optionsSql(options)})`);
}

function optionsSql({ level, metadata = {}, groupRows = ROW_GROUP_ROWS }: ParquetOptions): string {
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}: ${quoteLiteral(value)}`);
  const extra = pairs.length > 0 ? `, KV_METADATA {${pairs.join(", ")}}` : "";
  // Slices are fetched completely, so bloom filters are useless. They take a tenth of the time.
  return `FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL ${ZSTD_LEVEL[level]}, ROW_GROUP_SIZE ${groupRows}, WRITE_BLOOM_FILTER false${extra}`;
}
