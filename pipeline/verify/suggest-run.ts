/**
 * Verifies the suggest run: its index, and that its rows are those that the divisions in the dataset give.
 * @module
 */
import { join } from "node:path";
import type { Manifest } from "../../data/format/manifest.ts";
import type { Database } from "../database.ts";
import { quoteLiteral, quotePath } from "../sql.ts";
import { makeSuggestions, SUGGEST_COLUMNS } from "../suggest-run.ts";
import { type Check, expectedGot, type Ledger } from "./ledger.ts";
import { readNamed } from "./named-file.ts";
import { type IndexedPartition, readIndex } from "./read-index.ts";

const EXPECTED = "expected_suggestions";
const FOUND = "found_suggestions";

/** Checks the run; returns the paths of all files that its index names. */
export async function verifySuggestRun(
  database: Database,
  dataset: string,
  { division, division_area }: Manifest["collections"],
  ledger: Ledger,
): Promise<string[]> {
  const run = division?.runs.suggest;
  if (!run) return [];
  const index = await readIndex(dataset, "division", "suggest", run, ledger);
  const sound: IndexedPartition[] = [];
  for (const partition of index.partitions) {
    const content = await readNamed(dataset, { scope: "division", ...partition.node, path: partition.path }, ledger);
    if (content) sound.push(partition);
  }
  const isWhole = index.isWhole && sound.length === index.partitions.length;
  if (isWhole) await compare(database, dataset, { partitions: sound, hasAreas: division_area !== undefined }, ledger);
  return [...index.pages, ...index.partitions.map(({ path }) => path)];
}

async function compare(
  database: Database,
  dataset: string,
  { partitions, hasAreas }: { partitions: readonly IndexedPartition[]; hasAreas: boolean },
  ledger: Ledger,
): Promise<void> {
  const say = (check: Check, isRight: boolean, fault: () => string): boolean =>
    ledger.expect("division", check, isRight, fault);
  const files = partitions.map(({ path }) => quotePath(join(dataset, path)));
  const numbers = partitions.map(({ path }, file) => `(${file}, ${quoteLiteral(join(dataset, path))})`);
  const columns = SUGGEST_COLUMNS.join(", ");
  const error = await (async () => {
    await makeSuggestions(database, { folder: dataset, hasAreas, table: EXPECTED });
    await database.run(`
      CREATE OR REPLACE TABLE ${FOUND} AS
      SELECT file, file_row_number AS row, ${columns}
      FROM read_parquet([${files.join(", ")}], filename = true, file_row_number = true, hive_partitioning = false)
      JOIN (VALUES ${numbers.join(", ")}) files(file, path) ON filename = path`);
  })().then(
    () => undefined,
    (cause: unknown) => (cause instanceof Error ? cause.message.split("\n")[0] : String(cause)),
  );
  if (!say("columns", error === undefined, () => `division: suggest run cannot be read: ${error}`)) return;
  const ends = await database.rows<{ rows: number; first: string; last: string }>(
    `SELECT count(*) AS rows, arg_min(term, row) AS first, arg_max(term, row) AS last FROM ${FOUND} GROUP BY file ORDER BY file`,
  );
  for (const [file, { node, path }] of partitions.entries()) {
    const said = [node.rows, node.first_term, node.last_term];
    const got = [ends[file]?.rows, ends[file]?.first, ends[file]?.last];
    say("order", String(said) === String(got), () => `${path}: rows and terms ${expectedGot(got, said)}`);
  }
  const [order] = await database.rows<{ disordered: number }>(`
    SELECT count(*) FILTER (NOT is_after) AS disordered
    FROM (SELECT row(term, id) > lag(row(term, id)) OVER (ORDER BY file, row) AS is_after FROM ${FOUND})`);
  say("order", order?.disordered === 0, () => `division: ${order?.disordered} rows of the suggest run out of order`);
  const [differing] = await database.rows<{ rows: number; term: string | null }>(`
    WITH expected AS (SELECT term, hash(${columns}) AS hash FROM ${EXPECTED}),
      found AS (SELECT term, hash(${columns}) AS hash FROM ${FOUND})
    SELECT count(*) AS rows, min(term) AS term
    FROM ((FROM expected EXCEPT ALL FROM found) UNION ALL (FROM found EXCEPT ALL FROM expected))`);
  const fault = () =>
    `division: ${differing?.rows} rows of the suggest run are wrong or missing, such as of ${differing?.term}`;
  say("runs", differing?.rows === 0, fault);
}
