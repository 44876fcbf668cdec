/** Terms as the rows of the primary copy tell them, summed up as those of the term run are. @module */
import { type DuckDBScalarFunction, VARCHAR } from "@duckdb/node-api";
import type { CollectionName } from "../../data/format/collections.ts";
import { MAX_TERM_CHARS } from "../../data/format/fold.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import { BY_ENDS, endTermsOf, PREFIX_ROWS, prefixTerm, WORLDWIDE } from "../../data/format/terms.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import type { Ledger } from "./ledger.ts";
import { RECORDS_TABLE } from "./record-table.ts";
import { ofText } from "./row-facts.ts";
import { ROWS_TABLE } from "./row-table.ts";
import { FOUND_TERMS } from "./term-slices.ts";

/** `country`, `term`, `rows`, `sum`: several lines of a term where its rows were looked at apart. */
export const TOLD_TERMS = "told_terms";
/** `country`, `number`, `name`: of the countries looked at, and of all together. */
const NAMES = "told_names";
const ALL_NAMES = "told_all_names";

const NAME = quoteLiteral("name:");
const PREFIX = quoteLiteral(prefixTerm(""));
const ALL = quoteLiteral(ALL_COUNTRIES);
const SIZES = `(SELECT unnest(generate_series(1, ${MAX_TERM_CHARS})) AS size)`;

/** `end_term(term)`: the term of the end of a name's word; null where it has none. */
export function endTermFunction(): DuckDBScalarFunction {
  return ofText("end_term", VARCHAR, (term) => endTermsOf([term])[0] ?? null);
}

export async function emptyTold(database: Database): Promise<void> {
  await database.run(`CREATE OR REPLACE TABLE ${TOLD_TERMS} (country VARCHAR, term VARCHAR, rows BIGINT, sum HUGEINT)`);
  await database.run(`CREATE OR REPLACE TABLE ${ALL_NAMES} (country VARCHAR, number BIGINT, name VARCHAR)`);
}

export interface ToldRows {
  readonly name: CollectionName;
  /** Of which rows and records are all there. */
  readonly countries: ReadonlySet<string>;
  /** Rows from which on a beginning of names is a term. */
  readonly prefixRows?: number | undefined;
}

/** Adds the terms of the countries' rows. */
export async function tellTerms(database: Database, { name, countries, prefixRows }: ToldRows): Promise<void> {
  if (countries.size === 0) return;
  const within = [...countries].map(quoteLiteral).join(", ");
  const postings = `(SELECT country, number, unnest(terms) AS term FROM ${ROWS_TABLE} JOIN ${RECORDS_TABLE} USING (country, id) WHERE country IN (${within}))`;
  await database.run(`INSERT INTO ${TOLD_TERMS} SELECT country, term, ${SUMS} FROM ${postings} GROUP BY ALL`);
  await database.run(`
    CREATE OR REPLACE TABLE ${NAMES} AS
    SELECT country, number, substr(term, length(${NAME}) + 1) AS name FROM ${postings} WHERE starts_with(term, ${NAME})`);
  await database.run(`INSERT INTO ${TOLD_TERMS} ${beginningsSql(NAMES, prefixRows)}`);
  if (WORLDWIDE.has(name)) await database.run(`INSERT INTO ${ALL_NAMES} SELECT ${ALL}, number, name FROM ${NAMES}`);
  await database.run(`DROP TABLE ${NAMES}`);
}

const SUMS = "count(*), sum(hash(number)::HUGEINT)";

/**
 * SQL of the beginnings that are terms: those that many rows have and all of their own, without those of one name alone
 * and those with the same rows as the first that goes on a letter further.
 */
function beginningsSql(names: string, prefixRows = PREFIX_ROWS): string {
  return `
    WITH candidates AS (
      SELECT country, left(name, size) AS beginning
      FROM (SELECT country, name, count(*) AS rows FROM ${names} GROUP BY ALL), ${SIZES}
      WHERE size <= length(name) GROUP BY ALL HAVING count(*) > 1 AND sum(rows) > ${prefixRows}
    ), counted AS (
      SELECT country, beginning, count(*) AS rows, sum(hash(number)::HUGEINT) AS sum
      FROM (
        SELECT DISTINCT country, beginning, number
        FROM (SELECT country, number, left(name, size) AS beginning FROM ${names}, ${SIZES} WHERE size <= length(name))
        SEMI JOIN candidates USING (country, beginning)
      ) GROUP BY ALL HAVING count(*) > ${prefixRows}
    ), longer AS (
      SELECT country, left(beginning, length(beginning) - 1) AS shorter, arg_min(rows, beginning) AS rows
      FROM counted WHERE length(beginning) > 1 GROUP BY ALL
    )
    SELECT counted.country, ${PREFIX} || counted.beginning, counted.rows, counted.sum
    FROM counted ANTI JOIN longer
      ON counted.country = longer.country AND counted.beginning = shorter AND counted.rows = longer.rows`;
}

/** Compares the terms of the run with those told: of countries that were told, and of all together if all were. */
export async function compareTerms(
  database: Database,
  { name, countries, prefixRows, isWhole }: ToldRows & { readonly isWhole: boolean },
  ledger: Ledger,
): Promise<void> {
  const told = [...countries, ...(isWhole ? [ALL_COUNTRIES] : [])].map(quoteLiteral).join(", ");
  if (told === "") return;
  await database.run(`
    INSERT INTO ${TOLD_TERMS} SELECT country, ${NAME} || name, ${SUMS} FROM ${ALL_NAMES} GROUP BY country, name`);
  if (BY_ENDS.has(name)) {
    await database.run(`
      INSERT INTO ${TOLD_TERMS} SELECT country, end_term(${NAME} || name) AS term, ${SUMS} FROM ${ALL_NAMES} WHERE term IS NOT NULL GROUP BY ALL`);
  }
  await database.run(`INSERT INTO ${TOLD_TERMS} ${beginningsSql(ALL_NAMES, prefixRows)}`);
  const sums = (table: string): string =>
    `(SELECT country, term, sum(rows)::BIGINT AS rows, sum(sum) AS sum FROM ${table} WHERE country IN (${told}) GROUP BY ALL)`;
  for (const [what, condition] of [
    ["are missing from the term run", "found.rows IS NULL"],
    ["of the term run should not be there", "told.rows IS NULL"],
    ["have not the rows that they should", "(told.rows, told.sum) IS DISTINCT FROM (found.rows, found.sum)"],
  ] as const) {
    const isBoth = condition.startsWith("(") ? "told.rows IS NOT NULL AND found.rows IS NOT NULL AND" : "";
    const [wrong] = await database.rows<WrongTerms>(`
      SELECT count(*) AS terms, to_json(arg_min({country: country, term: term, told: told.rows, found: found.rows}, (country, term)))::VARCHAR AS first
      FROM ${sums(TOLD_TERMS)} told FULL JOIN ${sums(FOUND_TERMS)} found USING (country, term)
      WHERE ${isBoth} ${condition}`);
    ledger.expect(
      name,
      "terms",
      wrong?.terms === 0,
      () => `${name}: ${wrong?.terms} terms ${what}, such as ${spell(wrong)}`,
    );
  }
}

interface WrongTerms {
  readonly terms: number;
  readonly first: string | null;
}

function spell(wrong: WrongTerms | undefined): string {
  const first = JSON.parse(wrong?.first ?? "{}") as { country?: string; term?: string; told?: number; found?: number };
  return `${first.term} of ${first.country}: ${first.found ?? "no"} rows, expected ${first.told ?? "none"}`;
}
