import { join } from "node:path";
import type { Collection } from "../../data/format/collections.ts";
import { compareIds } from "../../data/format/ids.ts";
import { RECORD_COLUMN, TERM_RUN_COLUMNS } from "../../data/format/terms.ts";
import { type Database, quoteLiteral, quotePath } from "../database/index.ts";
import { batchFiles } from "./batches.ts";
import { checkFileMetadata, nullSql } from "./file-metadata.ts";
import { checksOf, type Ledger } from "./ledger.ts";
import type { IndexedPartition } from "./read-index.ts";
import { ROWS_TABLE, type SoundPartition, wholeSql } from "./row-table.ts";

export const TERMS_TABLE = "verified_terms";

export interface TermRows {
  readonly file: number;
  readonly rows: number;
  readonly first_term: string | null;
  readonly last_term: string | null;
  readonly disordered: number;
  readonly strange: number;
  readonly strange_id: string | null;
}

/**
 * Loads the partitions, and sums up each by the number of its file; undefined, with the fault noted, when they cannot
 * be read. The other runs' rows of the same countries must be loaded.
 */
export async function loadTerms(
  database: Database,
  dataset: string,
  collection: Collection,
  partitions: readonly SoundPartition[],
  ledger: Ledger,
): Promise<Map<number, TermRows> | undefined> {
  const scope = collection.name;
  const { full, light } = TERM_RUN_COLUMNS;
  await checkFileMetadata(database, dataset, { collection: scope, schemas: [full, light] }, partitions, ledger);
  const none = `SELECT ${full.map(nullSql).join(", ")}, NULL::VARCHAR AS filename, NULL::BIGINT AS file_row_number WHERE false`;
  await database.run(`
    CREATE OR REPLACE TABLE ${TERMS_TABLE} (file INTEGER, country VARCHAR, row BIGINT, term VARCHAR, is_light BOOLEAN,
      row_country VARCHAR, id VARCHAR, hash UBIGINT)`);
  const load = async (batch: readonly SoundPartition[]): Promise<void> => {
    const files = batch.map(({ path }) => quotePath(join(dataset, path)));
    const numbers = batch.map(
      ({ path, file, node }) => `(${file}, ${quoteLiteral(node.country)}, ${quoteLiteral(join(dataset, path))})`,
    );
    await database.run(`
      INSERT INTO ${TERMS_TABLE}
      SELECT files.file, country, file_row_number, term, is_light, row_country, id, ${wholeSql(collection, RECORD_COLUMN)}
      FROM (
        FROM read_parquet([${files.join(", ")}], filename = true, file_row_number = true, hive_partitioning = false, union_by_name = true)
        UNION ALL BY NAME ${none}
      ) JOIN (VALUES ${numbers.join(", ")}) files(file, country, path) ON filename = path`);
  };
  const loadAll = async (): Promise<void> => {
    for (const batch of batchFiles(partitions)) await load(batch);
  };
  const error = await loadAll().then(
    () => undefined,
    (cause: unknown) => (cause instanceof Error ? cause.message.split("\n")[0] : String(cause)),
  );
  if (!ledger.expect(scope, "columns", error === undefined, () => `${scope}: term run cannot be read: ${error}`))
    return undefined;
  const summaries = await database.rows<TermRows>(`
    SELECT file, count(*) AS rows, arg_min(term, row) AS first_term, arg_max(term, row) AS last_term,
      count(*) FILTER (is_after = false) AS disordered,
      count(*) FILTER (NOT is_known) AS strange, min(id) FILTER (NOT is_known) AS strange_id
    FROM (
      SELECT terms.*, row(term, id) > lag(row(term, id)) OVER (PARTITION BY file ORDER BY row) AS is_after,
        whole.id IS NOT NULL AND (is_light OR list_contains(whole.hashes, terms.hash)) AS is_known
      FROM ${TERMS_TABLE} terms LEFT JOIN (SELECT id, list(hash) AS hashes FROM ${ROWS_TABLE} GROUP BY id) whole USING (id)
    )
    GROUP BY file`);
  const byFile = new Map(summaries.map((summary) => [summary.file, summary]));
  return new Map(partitions.map(({ file }) => [file, byFile.get(file) ?? withoutRows(file)]));
}

function withoutRows(file: number): TermRows {
  return { file, rows: 0, first_term: null, last_term: null, disordered: 0, strange: 0, strange_id: null };
}

/** Partitions without a summary were not read. */
export function checkTermOrder(
  scope: string,
  partitions: readonly SoundPartition[],
  summaries: ReadonlyMap<number, TermRows>,
  ledger: Ledger,
): void {
  let before: IndexedPartition | undefined;
  let inTerm = 0;
  for (const { node, path, file } of partitions) {
    const rows = summaries.get(file);
    if (!rows) continue;
    const { say, same } = checksOf(ledger, scope, path);
    same("row counts", "rows", node.rows, rows.rows);
    same("order", "first_term", rows.first_term, node.first_term);
    same("order", "last_term", rows.last_term, node.last_term);
    say("order", rows.disordered === 0, () => `${rows.disordered} rows not after the one before`);
    say(
      "runs",
      rows.strange === 0,
      () => `${rows.strange} rows are not those of the id run, such as ${rows.strange_id}`,
    );
    const isAfter = !before || compareTerms(before, { node, path }) <= 0;
    say("order", isAfter, () => `does not come after ${before?.path}`);
    const isAlike = before?.node.country === node.country && before.node.last_term === node.first_term;
    inTerm = isAlike ? inTerm + (before?.node.rows ?? 0) : 0;
    same("counts", "start", inTerm, node.start);
    before = { node, path };
  }
}

function compareTerms(a: IndexedPartition, b: IndexedPartition): number {
  const country = compareIds(a.node.country, b.node.country);
  return country || compareIds(a.node.last_term ?? "", b.node.first_term ?? "");
}
