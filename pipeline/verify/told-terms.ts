/** Terms as the rows of the primary copy tell them, summed up as those of the term run are. @module */
import { deflateRawSync } from "node:zlib";
import type { CollectionName } from "../../data/format/collections.ts";
import { MAX_TERM_CHARS } from "../../data/format/fold.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import { POSTINGS_SLICE_BYTES, writePostings } from "../../data/format/postings.ts";
import { firstNumberOf } from "../../data/format/records.ts";
import { prefixTerm } from "../../data/format/terms.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import type { Ledger } from "./ledger.ts";
import { RECORDS_TABLE } from "./record-table.ts";
import { ROWS_TABLE } from "./row-table.ts";
import { FOUND_TERMS, WORLDWIDE } from "./term-slices.ts";

/** `country`, `term`, `rows`, `sum`: several lines of a term where its rows were looked at apart. */
export const TOLD_TERMS = "told_terms";
/** The same of beginnings: of each that is stored, and of its own. */
export const TOLD_BEGINNINGS = "told_beginnings";
const NAMES = "told_names";
const BEGINNINGS = "stored_beginnings";

const NAME = quoteLiteral("name:");
const PREFIX = quoteLiteral(prefixTerm(""));
const SIZES = `(SELECT unnest(generate_series(1, ${MAX_TERM_CHARS})) AS size)`;

/** SQL of the text behind the facet. */
const behind = (facet: string): string => `substr(term, length(${facet}) + 1)`;

/** Empty tables, and that of the beginnings which the term run stores or implies. */
export async function emptyTold(database: Database): Promise<void> {
  for (const [table, key] of [
    [TOLD_TERMS, "term"],
    [TOLD_BEGINNINGS, "beginning"],
  ] as const) {
    await database.run(`CREATE OR REPLACE TABLE ${table} (country VARCHAR, ${key} VARCHAR, rows BIGINT, sum HUGEINT)`);
  }
  await database.run(`
    CREATE OR REPLACE TABLE ${BEGINNINGS} AS
    SELECT DISTINCT country, left(beginning, size) AS beginning, size
    FROM (SELECT country, ${behind(PREFIX)} AS beginning FROM ${FOUND_TERMS} WHERE starts_with(term, ${PREFIX})), ${SIZES}
    WHERE size <= length(beginning)`);
}

export interface ToldRows {
  readonly name: CollectionName;
  /** Of which rows and records are all there. */
  readonly countries: ReadonlySet<string>;
  readonly stretches: Readonly<Record<string, number>>;
}

/** Adds the terms of the countries' rows. */
export async function tellTerms(
  database: Database,
  { name, countries, stretches }: ToldRows,
  ledger: Ledger,
): Promise<void> {
  if (countries.size === 0) return;
  const within = [...countries].map(quoteLiteral).join(", ");
  const postings = `(SELECT country, number, unnest(terms) AS term FROM ${ROWS_TABLE} JOIN ${RECORDS_TABLE} USING (country, id) WHERE country IN (${within}))`;
  await database.run(`
    INSERT INTO ${TOLD_TERMS} SELECT country, term, count(*), sum(hash(number)::HUGEINT) FROM ${postings} GROUP BY ALL`);
  await database.run(`
    CREATE OR REPLACE TABLE ${NAMES} AS
    SELECT country, number, ${behind(NAME)} AS name FROM ${postings} WHERE starts_with(term, ${NAME})`);
  if (WORLDWIDE.has(name)) {
    await database.run(`INSERT INTO ${NAMES} SELECT ${quoteLiteral(ALL_COUNTRIES)}, number, name FROM ${NAMES}`);
    await database.run(`
      INSERT INTO ${TOLD_TERMS} SELECT country, 'name:' || name, count(*), sum(hash(number)::HUGEINT)
      FROM ${NAMES} WHERE country = ${quoteLiteral(ALL_COUNTRIES)} GROUP BY ALL`);
  }
  await database.run(`
    INSERT INTO ${TOLD_BEGINNINGS}
    SELECT country, beginning, count(*), sum(hash(number)::HUGEINT)
    FROM (
      SELECT DISTINCT country, number, beginning
      FROM (
        SELECT country, number, left(name, size) AS beginning
        FROM ${NAMES}, (SELECT DISTINCT size FROM ${BEGINNINGS}) WHERE size <= length(name)
      ) SEMI JOIN ${BEGINNINGS} USING (country, beginning)
    )
    GROUP BY ALL`);
  for (const country of countries) await checkHeavy(database, { name, country, stretches }, ledger);
  await database.run(`DROP TABLE ${NAMES}`);
}

/** Slices are cut by their size, about: a beginning is missing for certain when it fills twice as much. */
const CERTAINLY = 2;

/** Fewer rows than that do not fill so much: a gap takes a byte or more. */
const LEAST_ROWS = POSTINGS_SLICE_BYTES;

/** That no beginning fills far more than a slice without being stored. */
async function checkHeavy(
  database: Database,
  { name, country, stretches }: Pick<ToldRows, "name" | "stretches"> & { readonly country: string },
  ledger: Ledger,
): Promise<void> {
  const ofCountry = `FROM ${NAMES} WHERE country = ${quoteLiteral(country)}`;
  const heavy = await database.rows<{ beginning: string }>(`
    SELECT beginning
    FROM (
      SELECT left(name, size) AS beginning FROM (SELECT name, count(*) AS rows ${ofCountry} GROUP BY 1), ${SIZES}
      WHERE size <= length(name) GROUP BY 1 HAVING count(*) > 1 AND sum(rows) > ${LEAST_ROWS}
    ) ANTI JOIN (FROM ${BEGINNINGS} WHERE country = ${quoteLiteral(country)}) USING (beginning)
    ORDER BY 1`);
  const first = firstNumberOf(stretches[country] ?? 0);
  for (const { beginning } of heavy) {
    const numbers: number[] = [];
    const sql = `SELECT DISTINCT number - ${first} AS number ${ofCountry} AND starts_with(name, ${quoteLiteral(beginning)}) ORDER BY 1`;
    await database.stream(sql, ([column = []]) => {
      for (const number of column) numbers.push(Number(number));
    });
    const bytes = writePostings([{ term: prefixTerm(beginning), numbers }], (raw) => deflateRawSync(raw)).length;
    const isFew = bytes <= CERTAINLY * POSTINGS_SLICE_BYTES;
    const fault = () =>
      `${name}: ${prefixTerm(beginning)} of ${country} is not stored, though its ${numbers.length} rows fill ${bytes} bytes`;
    ledger.expect(name, "terms", isFew, fault);
  }
}

/** Compares the terms of the run with those told: of countries that were told, and of all together if all were. */
export async function compareTerms(
  database: Database,
  { name, countries, isWhole }: Pick<ToldRows, "name" | "countries"> & { readonly isWhole: boolean },
  ledger: Ledger,
): Promise<void> {
  const told = [...countries, ...(isWhole ? [ALL_COUNTRIES] : [])].map(quoteLiteral).join(", ");
  if (told === "") return;
  await database.run(`INSERT INTO ${TOLD_TERMS} ${storedPrefixesSql()}`);
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

/**
 * SQL of the beginnings that are to be stored where those of the run are: theirs and all of their own, without those of
 * one name alone and those with the same rows as the first that goes on a letter further.
 */
function storedPrefixesSql(): string {
  return `
    WITH counted AS (
      SELECT country, beginning, sum(rows)::BIGINT AS rows, sum(sum) AS sum FROM ${TOLD_BEGINNINGS} GROUP BY ALL
    ), names AS (
      SELECT DISTINCT country, ${behind(NAME)} AS name FROM ${TOLD_TERMS} WHERE starts_with(term, ${NAME})
    ), several AS (
      SELECT country, left(name, size) AS beginning FROM names, (SELECT DISTINCT size FROM ${BEGINNINGS})
      WHERE size <= length(name) GROUP BY ALL HAVING count(*) > 1
    ), hot AS (
      SELECT counted.* FROM counted SEMI JOIN several USING (country, beginning)
    ), longer AS (
      SELECT country, left(beginning, length(beginning) - 1) AS shorter, arg_min(rows, beginning) AS rows
      FROM hot WHERE length(beginning) > 1 GROUP BY ALL
    )
    SELECT hot.country, ${PREFIX} || hot.beginning, hot.rows, hot.sum
    FROM hot ANTI JOIN longer ON hot.country = longer.country AND hot.beginning = shorter AND hot.rows = longer.rows`;
}
