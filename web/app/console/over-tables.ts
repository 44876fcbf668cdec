/** Converts statements copied from the page for the console: they read files, the console has tables. @module */

const FILES =
  /read_parquet\((?:'([^']*)'|\[\s*((?:'[^']*'[,\s]*)+)\]), hive_partitioning = true, hive_types_autocast = false(?:, union_by_name = true)?\)/g;

/** Text of geometries, which the tables lack. */
const LACKING = /geometry::VARCHAR/;

/**
 * Returns the statement with the files of the dataset replaced by the console's tables; others are unchanged.
 * Undefined if it needs something of the files that the tables lack.
 */
export function overTables(sql: string): string | undefined {
  const isOfFiles = sql.search(FILES) >= 0;
  if (isOfFiles && LACKING.test(sql)) return undefined;
  return sql.replace(FILES, (files: string, only: string | undefined, several: string | undefined) => {
    const globs =
      only === undefined ? [...(several ?? "").matchAll(/'([^']*)'/g)].map(([, glob = ""]) => glob) : [only];
    const tables = globs.map((glob) => /^([a-z_]+)\/country=/.exec(glob)?.[1]);
    if (tables.some((table) => table === undefined)) return files;
    const rows = tables.map((table) => `SELECT * FROM ${table}`).join(" UNION ALL BY NAME ");
    return tables.length === 1 ? String(tables[0]) : `(${rows})`;
  });
}
