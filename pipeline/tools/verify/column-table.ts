/**
 * Checks a column table: Parquet files with the rows of a collection, sorted by category, class or subtype.
 * @module
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  TABLE_CHECK_BYTES,
  TABLE_METADATA,
  type TableFacet,
  type TableMetadata,
  tableFileColumns,
  tableTerm,
} from "../../../data/format/column-tables.ts";
import { FORMAT_VERSION } from "../../../data/format/manifest.ts";
import { readChecks, type TableFile } from "../../../data/format/table-reads.ts";
import { openTableFile } from "../../../data/parquet/index.ts";
import { type Database, quoteIdentifier, quotePath } from "../../base/database/index.ts";
import { readRange } from "../../base/disk/index.ts";
import { checksOf } from "./ledger.ts";
import { nameSlice, type TableNode } from "./slice-table.ts";
import { expectNone, openSlice, type Verified } from "./verified.ts";

/** SQL of the values under which a row is in the column table. */
const VALUES: Readonly<Record<TableFacet, string>> = {
  category: `[categories."primary"] || coalesce(categories.alternate, [])`,
  class: `["class"]`,
  subtype: "[subtype]",
};

/**
 * Checks the files of the column table. If they and the primary copy (all rows by place) are intact, checks that both
 * have the same rows.
 */
export async function checkColumnTable(verified: Verified, isWhole: boolean): Promise<void> {
  const { sliceTable, manifest } = verified;
  const { say } = checksOf(verified, "manifest.json");
  const { table, runs } = manifest;
  const isBoth = (table === undefined) === (runs.table === undefined);
  if (!say("index", isBoth, () => `${verified.name} has only one of table and runs.table`) || !table) return;
  const files: TableNode<"table">[] = [];
  let areSound = true;
  for await (const listed of sliceTable.nodes("table")) {
    if (await checkFile(verified, listed, table.facet)) files.push(listed);
    else areSound = false;
  }
  if (!areSound || !isWhole) return;
  await checkOrder(verified, files, table.facet);
  const locations: string[] = [];
  for await (const { path } of sliceTable.packs()) if (/\/country=/.test(path)) locations.push(path);
  await compareRows(verified, files, locations);
}

/** Checks the footer of a file and the check of each column chunk. Returns true if they can be read. */
async function checkFile(verified: Verified, listed: TableNode<"table">, facet: TableFacet): Promise<boolean> {
  const { dataset, name, sliceTable } = verified;
  const { node, path } = listed;
  if (!sliceTable.isSound(listed.slice)) return false;
  const { footer } = node;
  const entry = { path, offset: node.bytes - footer.bytes, bytes: footer.bytes, sha256: footer.sha256 };
  let isChecked = false;
  const file = await openSlice(verified, "tables", entry, (bytes): TableFile => {
    isChecked = true;
    return openTableFile(bytes, node.bytes);
  });
  const { say, same } = checksOf(verified, nameSlice(listed));
  if (!file) return isChecked || say("tables", false, () => "its footer does not have the SHA-256 of the index");
  same("row counts", "rows", node.rows, file.rows);
  try {
    const about = JSON.parse(file.value(TABLE_METADATA) ?? "{}") as Partial<TableMetadata>;
    same("metadata", "format_version", FORMAT_VERSION, about.format_version);
    same("metadata", "collection", name, about.collection);
    same("metadata", "facet", facet, about.facet);
    const checks = readChecks(String(about.checks), file.chunks);
    const columns = tableFileColumns(verified.manifest.table ?? { facet, columns: [] });
    for (const group of file.groups) {
      for (const { index, start, end } of group.chunks(columns)) {
        const bytes = await readRange(join(dataset, path), start, end - start);
        const found = createHash("sha256").update(bytes).digest().subarray(0, TABLE_CHECK_BYTES).toString("hex");
        const expected = Buffer.from(checks[index] ?? []).toString("hex");
        same("tables", `check of column chunk ${index}`, expected, found);
      }
    }
    return true;
  } catch (error) {
    return say("metadata", false, () => `its footer cannot be read: ${(error as Error).message}`);
  }
}

/** Checks the order of the rows, and the terms and `start` in each node. */
async function checkOrder(verified: Verified, files: readonly TableNode<"table">[], key: string): Promise<void> {
  const { database } = verified;
  let before: { term: string; rows: number } = { term: "", rows: 0 };
  for (const listed of files) {
    const from = readSql(verified, [listed.path]);
    const column = quoteIdentifier(key);
    const [found] = await database.rows<
      Record<"first" | "first_of" | "last" | "last_of" | "least" | "most", string> & {
        disordered: number;
        ends: number;
      }
    >(`
      SELECT arg_min(value, row) AS first, arg_min(country, row) AS first_of, arg_max(value, row) AS last, arg_max(country, row) AS last_of,
        count(*) FILTER (is_after = false) AS disordered, count(*) FILTER (value = last_value AND country = last_country) AS ends
      FROM (
        SELECT *, row(value, country, id) > lag(row(value, country, id)) OVER (ORDER BY row) AS is_after,
          last(value) OVER () AS last_value, last(country) OVER () AS last_country
        FROM (SELECT ${column} AS value, country, id, file_row_number AS row FROM ${from} ORDER BY row))`);
    if (!found) continue;
    const { say, same } = checksOf(verified, nameSlice(listed));
    say("order", found.disordered === 0, () => `${found.disordered} rows not after the one before`);
    const [first, last] = [tableTerm(found.first, found.first_of), tableTerm(found.last, found.last_of)];
    same("order", "first_term", first, listed.node.first_term);
    same("order", "last_term", last, listed.node.last_term);
    same("counts", "start", before.term === first ? before.rows : 0, listed.node.start);
    const isOne = first === last;
    before = { term: last, rows: found.ends + (isOne && before.term === first ? before.rows : 0) };
  }
}

function readSql({ dataset }: Verified, paths: readonly string[]): string {
  const files = paths.map((path) => quotePath(join(dataset, path)));
  return `read_parquet([${files.join(", ")}], file_row_number = true, hive_partitioning = false)`;
}

/** Reports rows that are only in the files or only in the primary copy. */
async function compareRows(
  verified: Verified,
  files: readonly TableNode<"table">[],
  locations: readonly string[],
): Promise<void> {
  const { database, dataset, manifest } = verified;
  if (!manifest.table || locations.length === 0) return;
  const { facet } = manifest.table;
  const key = quoteIdentifier(facet);
  const columns = tableFileColumns(manifest.table).slice(2).map(quoteIdentifier);
  const content = `hash(row(${columns.join(", ")}))`;
  const primary = locations.map((path) => quotePath(join(dataset, path)));
  const [found, expected] = ["found_columns", "expected_columns"];
  const fromFiles =
    files.length === 0
      ? "SELECT '' AS value, '' AS country, '' AS id, 0::UBIGINT AS content LIMIT 0"
      : `SELECT ${key} AS value, country, id, ${content} AS content FROM ${readSql(
          verified,
          files.map(({ path }) => path),
        )}`;
  await makeTable(database, found, fromFiles);
  await makeTable(
    database,
    expected,
    `SELECT value, country, id, content FROM (
      SELECT unnest(list_distinct(${VALUES[facet]})) AS value, country, id, ${content} AS content
      FROM read_parquet([${primary.join(", ")}], hive_partitioning = true, hive_types = {'country': VARCHAR}))
    WHERE value <> ''`,
  );
  for (const [what, some, others] of [
    ["rows are wrong or have no record", found, expected],
    ["rows are missing", expected, found],
  ] as const) {
    const sql = `SELECT count(*) AS rows, min(concat_ws(' ', value, country, id)) AS first FROM (FROM ${some} EXCEPT ALL FROM ${others})`;
    await expectNone(verified, "tables", sql, (rows, first) => `table run: ${rows} ${what}, such as ${first}`);
  }
  for (const table of [found, expected]) await database.run(`DROP TABLE ${table}`);
}

async function makeTable(database: Database, name: string, sql: string): Promise<void> {
  await database.run(`CREATE OR REPLACE TABLE ${name} AS ${sql}`);
}
