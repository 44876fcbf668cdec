import { join } from "node:path";
import { type CollectionName, isCollectionName } from "../../data/format/collections.ts";
import type { Manifest } from "../../data/format/manifest.ts";
import { type Database, quoteLiteral, quotePath } from "../database/index.ts";
import { type DerivedRun, derivedRuns } from "../term-runs/index.ts";
import { checksOf, expectedGot, type Ledger } from "./ledger.ts";
import { readNamed } from "./named-file.ts";
import { type IndexedPartition, readIndex } from "./read-index.ts";

const EXPECTED = "expected_rows";
const FOUND = "found_rows";

export interface VerifiedRuns {
  readonly dataset: string;
  readonly collections: Manifest["collections"];
  readonly files: ReadonlySet<string>;
}

/** Returns the paths of all files that the runs' indexes name. */
export async function verifyDerivedRuns(
  database: Database,
  { dataset, collections, files }: VerifiedRuns,
  ledger: Ledger,
): Promise<string[]> {
  const named: string[] = [];
  for (const derived of derivedRuns(Object.keys(collections).filter(isCollectionName))) {
    const { collection, run: name } = derived;
    const run = collections[collection]?.runs[name];
    if (!run) continue;
    const index = await readIndex(dataset, collection, name, run, ledger);
    named.push(...index.pages, ...index.partitions.map(({ path }) => path));
    let isWhole = index.isWhole;
    for (const { node, path } of index.partitions) {
      const content = await readNamed(dataset, { scope: collection, ...node, path }, ledger);
      if (!content) isWhole = false;
    }
    // on faulty rows there is nothing to compare with
    const isSound = ledger.lines().every(({ faults }) => faults.length === 0);
    if (isWhole && isSound) await compare(database, { dataset, files, derived, partitions: index.partitions }, ledger);
  }
  return named;
}

interface Compared extends Pick<VerifiedRuns, "dataset" | "files"> {
  readonly derived: DerivedRun;
  readonly partitions: readonly IndexedPartition[];
}

/** Makes each run once more from the rows of the others, and compares row by row. */
async function compare(database: Database, compared: Compared, ledger: Ledger): Promise<void> {
  const { derived, partitions } = compared;
  const { collection, run } = derived;
  const { say } = checksOf(ledger, collection, `${collection}: ${run} run`);
  const error = await load(database, compared).then(
    () => undefined,
    (cause: unknown) => (cause instanceof Error ? cause.message.split("\n")[0] : String(cause)),
  );
  if (!say("columns", error === undefined, () => `cannot be read: ${error}`)) return;
  const files = await database.rows<{ file: number; rows: number }>(
    `SELECT file, count(*) AS rows FROM ${FOUND} GROUP BY file`,
  );
  const rowsOf = new Map(files.map(({ file, rows }) => [file, rows]));
  let start = 0;
  for (const [file, { node, path }] of partitions.entries()) {
    const [edge] = await database.rows<{ country: string; first: string; last: string }>(`
      SELECT any_value(country) AS country, min(term) AS "first", max(term) AS "last"
      FROM ${EXPECTED}_keys WHERE place IN (${start}, ${start + node.rows - 1})`);
    const said = [node.rows, node.country, node.first_term, node.last_term];
    const told = [rowsOf.get(file), edge?.country, edge?.first, edge?.last];
    say("order", String(said) === String(told), () => `${path}: rows, country and terms ${expectedGot(told, said)}`);
    start += node.rows;
  }
  const columns = derived.columns.map((name) => `"${name}"`).join(", ");
  const [differing] = await database.rows<{ rows: number; place: number | null }>(`
    WITH expected AS (SELECT rowid AS place, hash(${columns}) AS hash FROM ${EXPECTED}),
      found AS (SELECT row_number() OVER (ORDER BY file, row) - 1 AS place, hash(${columns}) AS hash FROM ${FOUND})
    SELECT count(*) AS rows, min(place) AS place
    FROM expected FULL JOIN found USING (place) WHERE expected.hash IS DISTINCT FROM found.hash`);
  const fault = () => `${differing?.rows} rows are wrong or missing, the first at ${differing?.place}`;
  say("runs", differing?.rows === 0, fault);
}

async function load(database: Database, { dataset, files, derived, partitions }: Compared): Promise<void> {
  const { columns, country, term } = derived;
  const list = (paths: readonly string[]): string =>
    `[${paths.map((path) => quotePath(join(dataset, path))).join(", ")}]`;
  const numbers = partitions.map(({ path }, file) => `(${file}, ${quoteLiteral(join(dataset, path))})`);
  // listed, since a killed build may leave other files
  const rowsOf = (collection: CollectionName): string =>
    `read_parquet(${list([...files].filter((path) => path.startsWith(`${collection}/_id/`)))}, hive_partitioning = true, hive_types_autocast = false)`;
  await derived.tell(database, { rowsOf, table: EXPECTED });
  await database.run(`
    CREATE OR REPLACE TABLE ${EXPECTED}_keys AS
    SELECT rowid AS place, ${country} AS country, ${term} AS term FROM ${EXPECTED}`);
  const names = columns.map((name) => `"${name}"`).join(", ");
  const rows =
    partitions.length === 0
      ? `SELECT 0 AS file, 0 AS row, ${names} FROM ${EXPECTED} LIMIT 0`
      : `SELECT file, file_row_number AS row, ${names}
         FROM read_parquet(${list(partitions.map(({ path }) => path))}, filename = true, file_row_number = true, hive_partitioning = false)
         JOIN (VALUES ${numbers.join(", ")}) files(file, path) ON filename = path`;
  await database.run(`CREATE OR REPLACE TABLE ${FOUND} AS ${rows}`);
}
