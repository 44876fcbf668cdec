/**
 * How many rows a partition holds, so that it is about as large as it should be.
 * @module
 */
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { copyToParquet, ROW_GROUP_ROWS } from "./copy-to-parquet.ts";
import type { Database } from "./database.ts";
import { quoteIdentifier } from "./sql.ts";

const TARGET_BYTES = 256 * 1024;
const LEAST_ROWS = 256;
const MOST_ROWS = 4 * ROW_GROUP_ROWS;
/** Slices spread over the run: neighbours compress together as they will in a partition. */
const SLICES = 4;

/** The target for files of this many bytes a row. */
export function rowTarget(bytesPerRow: number): number {
  const rows = Math.floor(TARGET_BYTES / bytesPerRow / LEAST_ROWS) * LEAST_ROWS;
  return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, rows));
}

/** Writes slices of a sorted table to see how well its rows compress. */
export async function measureRowTarget(
  database: Database,
  { table, columns, folder, rows }: { table: string; columns: readonly string[]; folder: string; rows: number },
): Promise<number> {
  const list = columns.map(quoteIdentifier).join(", ");
  let bytes = 0;
  let measured = 0;
  await database.each(sliceStarts(rows), async (connection, start) => {
    const end = Math.min(rows, start + ROW_GROUP_ROWS);
    const path = join(folder, `slice.${start}.tmp`);
    const where = `rowid >= ${start} AND rowid < ${end}`;
    await copyToParquet(connection, `SELECT ${list} FROM ${table} WHERE ${where} ORDER BY rowid`, path);
    const { size } = await stat(path);
    bytes += size;
    measured += end - start;
    await rm(path);
  });
  return rowTarget(bytes / measured);
}

function sliceStarts(rows: number): number[] {
  const slices = Math.min(SLICES, Math.ceil(rows / ROW_GROUP_ROWS));
  return Array.from({ length: slices }, (_, i) => Math.floor((i * rows) / slices));
}
