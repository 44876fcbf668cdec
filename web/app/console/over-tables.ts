/** Statements that the page copies, for the console: it has tables where the statement reads files. @module */

const FILES =
  /read_parquet\((?:'([^']*)'|\[\s*((?:'[^']*'[,\s]*)+)\]), hive_partitioning = true, hive_types_autocast = false(?:, union_by_name = true)?\)/g;

/** What the tables lack: geometries as text. */
const LACKING = /geometry::VARCHAR/;

/**
 * The statement with the dataset's files replaced by the console's tables of their rows; any other is left as it is. Undefined
 * where the tables lack what it asks of the files.
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
