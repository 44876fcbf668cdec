import { join } from "node:path";
import type { Collection } from "../../data/format/collections.ts";
import { MAX_TERM_CHARS } from "../../data/format/fold.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import { prefixTerm } from "../../data/format/terms.ts";
import { type Database, quoteLiteral, quotePath } from "../database/index.ts";
import { termsSql, WORLDWIDE } from "../term-runs/index.ts";
import { batchFiles } from "./batches.ts";
import type { Ledger } from "./ledger.ts";
import type { IndexedPartition } from "./read-index.ts";
import { TERMS_TABLE } from "./term-run.ts";

const TOLD = "told_terms";
const PREFIX = quoteLiteral(prefixTerm(""));

export interface TermRunFiles {
  readonly dataset: string;
  readonly collection: Collection;
  /** Of the id run, all of some countries. */
  readonly rows: readonly IndexedPartition[];
}

/** That the term run has every row under each of its terms, and no other. Needs `rowTerms` registered. */
export async function verifyTerms(
  database: Database,
  { dataset, collection, rows }: TermRunFiles,
  ledger: Ledger,
): Promise<void> {
  const { name } = collection;
  if (rows.length === 0) return;
  await database.run(`CREATE OR REPLACE TABLE ${TOLD} (country VARCHAR, id VARCHAR, term VARCHAR)`);
  for (const batch of batchFiles(rows)) {
    const files = batch.map(({ path }) => quotePath(join(dataset, path)));
    await database.run(`
      INSERT INTO ${TOLD}
      SELECT country, id, unnest(${termsSql(collection)})
      FROM read_parquet([${files.join(", ")}], hive_partitioning = true, hive_types_autocast = false)`);
  }
  if (WORLDWIDE.has(name)) {
    await database.run(`
      INSERT INTO ${TOLD} SELECT ${quoteLiteral(ALL_COUNTRIES)}, id, term FROM ${TOLD} WHERE starts_with(term, 'name:')`);
  }
  // a prefix is stored with all rows that have it
  await database.run(`
    INSERT INTO ${TOLD}
    WITH prefixes AS (
      SELECT DISTINCT country, term, substr(term, ${prefixTerm("").length + 1}) AS beginning
      FROM ${TERMS_TABLE} WHERE starts_with(term, ${PREFIX})
    ), lengths AS (SELECT DISTINCT length(beginning) AS length FROM prefixes)
    SELECT DISTINCT country, id, prefixes.term
    FROM (
      SELECT country, id, left(substr(term, ${"name:".length + 1}), length) AS beginning FROM ${TOLD}, lengths
      WHERE starts_with(term, 'name:') AND length(term) >= ${"name:".length} + length
    ) JOIN prefixes USING (country, beginning)`);
  await verifyShorterBeginnings(database, { scope: name, told: TOLD }, ledger);
  const differing = await differingCountries(database);
  for (const [what, some, others] of [
    ["are missing from the term run", TOLD, TERMS_TABLE],
    ["of the term run are not the row's", TERMS_TABLE, TOLD],
  ] as const) {
    const [wrong] = differing.length === 0 ? [NONE] : await database.rows<Wrong>(wrongSql(some, others, differing));
    const fault = () => `${name}: ${wrong?.rows} terms ${what}, such as ${wrong?.term} of ${wrong?.id}`;
    ledger.expect(name, "runs", wrong?.rows === 0, fault);
  }
}

interface Wrong {
  readonly rows: number;
  readonly term: string | null;
  readonly id: string | null;
}

const NONE: Wrong = { rows: 0, term: null, id: null };

/** Sums of hashes tell in one pass what a comparison would hold in memory. */
async function differingCountries(database: Database): Promise<string[]> {
  const sum = (table: string): string =>
    `SELECT country, count(*) AS rows, sum(hash(id, term)::HUGEINT) AS sum FROM ${table} GROUP BY country`;
  const found = await database.rows<{ country: string }>(`
    SELECT coalesce(told.country, found.country) AS country
    FROM (${sum(TOLD)}) told FULL JOIN (${sum(TERMS_TABLE)}) found ON told.country = found.country
    WHERE (told.rows, told.sum) IS DISTINCT FROM (found.rows, found.sum)`);
  return found.map(({ country }) => country);
}

function wrongSql(some: string, others: string, countries: readonly string[]): string {
  const rowsOf = (table: string): string =>
    `SELECT country, id, term FROM ${table} WHERE country IN (${countries.map(quoteLiteral).join(", ")})`;
  return `SELECT count(*) AS rows, min(term) AS term, arg_min(id, term) AS id FROM (${rowsOf(some)} EXCEPT ALL ${rowsOf(others)})`;
}

interface Told {
  readonly scope: string;
  /** Table of `country id term`: names of all rows, and each stored prefix. */
  readonly told: string;
}

/** That the first stored prefix that begins with one that is not stored has as many rows: readers take it instead. */
export async function verifyShorterBeginnings(
  database: Database,
  { scope, told }: Told,
  ledger: Ledger,
): Promise<void> {
  const sizes = `(SELECT unnest(generate_series(1, ${MAX_TERM_CHARS})) AS size)`;
  const [wrong] = await database.rows<{ beginnings: number; country: string | null; beginning: string | null }>(`
    WITH stored AS (
      SELECT country, substr(term, ${prefixTerm("").length + 1}) AS beginning, count(*) AS rows
      FROM ${told} WHERE starts_with(term, ${quoteLiteral(prefixTerm(""))}) GROUP BY ALL
    ), shorter AS (
      SELECT country, left(beginning, size) AS shorter, arg_min(rows, beginning) AS rows
      FROM stored, ${sizes} WHERE size < length(beginning) GROUP BY ALL
    ), missing AS (
      SELECT shorter.* FROM shorter ANTI JOIN stored ON shorter.country = stored.country AND shorter.shorter = beginning
    ), counted AS (
      SELECT country, shorter, count(DISTINCT id) AS rows
      FROM (
        SELECT country, id, left(substr(term, ${"name:".length + 1}), size) AS shorter FROM ${told}, ${sizes}
        WHERE starts_with(term, 'name:') AND length(term) >= ${"name:".length} + size
      ) SEMI JOIN missing USING (country, shorter)
      GROUP BY ALL
    )
    SELECT count(*) AS beginnings, min(country) AS country, arg_min(shorter, (country, shorter)) AS beginning
    FROM missing JOIN counted USING (country, shorter) WHERE missing.rows <> counted.rows`);
  const fault = () =>
    `${scope}: ${wrong?.beginnings} beginnings have other rows than what stands for them, such as ${wrong?.beginning} of ${wrong?.country}`;
  ledger.expect(scope, "runs", wrong?.beginnings === 0, fault);
}
