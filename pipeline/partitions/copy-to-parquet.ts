/**
 * Query results as Parquet files.
 * @module
 */
import { join } from "node:path";
import type { Database } from "../database/database.ts";
import { quoteIdentifier, quoteLiteral } from "../database/sql.ts";

export const ROW_GROUP_ROWS = 2048;

/**
 * Writes a query's rows, in their order, as Parquet. Row groups are exact, and bytes the same everywhere, only on one thread,
 * as in `each`, and when the query ends with an ORDER BY or gives no more than one row group.
 */
export async function copyToParquet(
  database: Database,
  sql: string,
  path: string,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  await database.run(`COPY (${sql}) TO ${quoteLiteral(path)} (${optionsSql(metadata)})`);
}

/**
 * Writes a query's rows as many files below a folder that is not there yet: the column says which row stands in which, and is
 * not written. Their bytes are those of `copyToParquet`, in less time, as long as no file has more rows than a row group.
 */
export async function copyToParquets(
  database: Database,
  sql: string,
  { folder, column, metadata }: { folder: string; column: string; metadata: Readonly<Record<string, string>> },
): Promise<void> {
  await database.run(
    `COPY (${sql}) TO ${quoteLiteral(folder)} (${optionsSql(metadata)}, PARTITION_BY (${quoteIdentifier(column)}))`,
  );
}

/** Path of the file that `copyToParquets` writes for a value of the column, a whole number. */
export function partedPath(folder: string, column: string, value: number): string {
  return join(folder, `${column}=${value}`, "data_0.parquet");
}

function optionsSql(metadata: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}: ${quoteLiteral(value)}`);
  const extra = pairs.length > 0 ? `, KV_METADATA {${pairs.join(", ")}}` : "";
  return `FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}${extra}`;
}
