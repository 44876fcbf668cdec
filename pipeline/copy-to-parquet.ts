/**
 * Query results as Parquet files.
 * @module
 */
import type { Database } from "./database.ts";
import { quoteLiteral } from "./sql.ts";

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
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}: ${quoteLiteral(value)}`);
  const extra = pairs.length > 0 ? `, KV_METADATA {${pairs.join(", ")}}` : "";
  await database.run(
    `COPY (${sql}) TO ${quoteLiteral(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROW_GROUP_ROWS}${extra})`,
  );
}
