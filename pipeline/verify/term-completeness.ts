/**
 * Verifies that the term run has every row under each of its terms, and under no other.
 * @module
 */
import { join } from "node:path";
import type { Collection } from "../../data/format/collections.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import { prefixTerm } from "../../data/format/terms.ts";
import type { Database } from "../database.ts";
import { quoteLiteral, quotePath } from "../sql.ts";
import { termsSql, WORLDWIDE } from "../term-postings.ts";
import type { Ledger } from "./ledger.ts";
import type { IndexedPartition } from "./read-index.ts";

const TERMS = "told_terms";
const FOUND = "found_terms";
const PREFIX = quoteLiteral(prefixTerm(""));

export interface TermRunFiles {
  readonly dataset: string;
  readonly collection: Collection;
  /** Of the id run, whole. */
  readonly rows: readonly IndexedPartition[];
  /** Of the term run, whole. */
  readonly terms: readonly IndexedPartition[];
}

/** Compares the term run with the terms of the rows of the id run. Needs `rowTerms` registered. */
export async function verifyTerms(
  database: Database,
  { dataset, collection, rows, terms }: TermRunFiles,
  ledger: Ledger,
): Promise<void> {
  const { name } = collection;
  await database.run(`
    CREATE OR REPLACE TABLE ${TERMS} AS
    SELECT country, id, unnest(${termsSql(collection)}) AS term FROM ${filesSql(dataset, rows)}`);
  if (WORLDWIDE.has(name)) {
    await database.run(`
      INSERT INTO ${TERMS} SELECT ${quoteLiteral(ALL_COUNTRIES)}, id, term FROM ${TERMS} WHERE starts_with(term, 'name:')`);
  }
  await database.run(`
    CREATE OR REPLACE TABLE ${FOUND} AS SELECT country, id, term FROM ${filesSql(dataset, terms)}`);
  // a beginning that is stored is stored with all rows that have it
  await database.run(`
    INSERT INTO ${TERMS}
    WITH prefixes AS (SELECT DISTINCT country, term, substr(term, ${prefixTerm("").length + 1}) AS beginning FROM ${FOUND} WHERE starts_with(term, ${PREFIX}))
    SELECT DISTINCT country, id, prefixes.term FROM ${TERMS} told JOIN prefixes USING (country)
    WHERE starts_with(told.term, 'name:' || beginning)`);
  for (const [what, sql] of [
    ["are missing from the term run", `FROM ${TERMS} EXCEPT ALL FROM ${FOUND}`],
    ["of the term run are not the row's", `FROM ${FOUND} EXCEPT ALL FROM ${TERMS}`],
  ] as const) {
    const [wrong] = await database.rows<{ rows: number; term: string | null; id: string | null }>(
      `SELECT count(*) AS rows, min(term) AS term, arg_min(id, term) AS id FROM (${sql})`,
    );
    const fault = () => `${name}: ${wrong?.rows} terms ${what}, such as ${wrong?.term} of ${wrong?.id}`;
    ledger.expect(name, "runs", wrong?.rows === 0, fault);
  }
}

/** Rows of the partitions, with the country of their folder. */
function filesSql(dataset: string, partitions: readonly IndexedPartition[]): string {
  const files = partitions.map(({ path }) => quotePath(join(dataset, path)));
  return `read_parquet([${files.join(", ")}], hive_partitioning = true, hive_types_autocast = false)`;
}
