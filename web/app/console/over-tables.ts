/** Rewrites SQL that was copied from the page: it reads files of the dataset, but the console has tables. @module */

import { isOwnName } from "../../../data/format/own-collections.ts";
import { quoteIdentifier } from "../../../data/format/sql.ts";

const FILES =
  /read_parquet\((?:'([^']*)'|\[\s*((?:'[^']*'[,\s]*)+)\]), hive_partitioning = true, hive_types_autocast = false(?:, union_by_name = true)?\)/g;

/** The geometry as text, which the tables of the console lack. */
const LACKING = /geometry::VARCHAR/;

/**
 * Returns the SQL with each `read_parquet` of the dataset's files replaced by the table of the console. Other SQL is unchanged.
 * Undefined if it needs geometries as text.
 */
export function overTables(sql: string): string | undefined {
  const isOfFiles = sql.search(FILES) >= 0;
  if (isOfFiles && LACKING.test(sql)) return undefined;
  return sql.replace(FILES, (files: string, only: string | undefined, several: string | undefined) => {
    const globs =
      only === undefined ? [...(several ?? "").matchAll(/'([^']*)'/g)].map(([, glob = ""]) => glob) : [only];
    const tables = globs.map((glob) => /^([a-z][a-z0-9_]*)\/country=/.exec(glob)?.[1]);
    if (tables.some((table) => table === undefined)) return files;
    // the name of a table may be a word of SQL
    const names = tables.map((table = "") => (isOwnName(table) ? quoteIdentifier(table) : table));
    const rows = names.map((name) => `SELECT * FROM ${name}`).join(" UNION ALL BY NAME ");
    return names.length === 1 ? String(names[0]) : `(${rows})`;
  });
}
