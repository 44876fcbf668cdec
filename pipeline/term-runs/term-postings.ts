/** Posting lists: which rows have which terms. @module */
import { DuckDBScalarFunction, VARCHAR } from "@duckdb/node-api";
import type { Collection } from "../../data/format/collections.ts";
import { MAX_TERM_CHARS } from "../../data/format/fold.ts";
import { ALL_COUNTRIES } from "../../data/format/manifest.ts";
import {
  FACET_COLUMNS,
  MAX_FULL_TERMS,
  prefixTerm,
  STORED_FACETS,
  storedTerms,
  type TermColumns,
} from "../../data/format/terms.ts";
import { type Database, quoteIdentifier, quoteLiteral } from "../database/index.ts";
import { LIGHT_SHARE } from "./plan-terms.ts";

const SEPARATOR = "\u001f";

/** Searched by name over all countries at once. */
export const WORLDWIDE: ReadonlySet<string> = new Set(["division", "division_area"]);

export function termColumns({ columns }: Collection): string[] {
  const wanted = new Set<string>([...STORED_FACETS].flatMap((facet) => FACET_COLUMNS[facet]));
  return columns.map(({ name }) => name).filter((name) => wanted.has(name));
}

/** `row_terms(json)`: the terms of a row's columns, joined by a separator. */
export function rowTerms(): DuckDBScalarFunction {
  return DuckDBScalarFunction.create({
    name: "row_terms",
    returnType: VARCHAR,
    parameterTypes: [VARCHAR],
    mainFunction: (_info, chunk, output) => {
      const rows = chunk.getColumnVector(0);
      for (let row = 0; row < chunk.rowCount; row++) {
        const columns = JSON.parse(String(rows.getItem(row))) as TermColumns;
        output.setItem(row, storedTerms(columns).join(SEPARATOR));
      }
      output.flush();
    },
  });
}

/** SQL of a row's list of terms. Needs `rowTerms` registered. */
export function termsSql(collection: Collection): string {
  const members = termColumns(collection).map((name) => `${quoteIdentifier(name)} := ${quoteIdentifier(name)}`);
  const text = `row_terms(to_json(struct_pack(${members.join(", ")}))::VARCHAR)`;
  return `list_filter(string_split(${text}, ${quoteLiteral(SEPARATOR)}), lambda term: term <> '')`;
}

const PAGE_ROWS = 25;

/** Of the id run, for a page of a light term. */
const PAGE_PARTITIONS = 2;

export interface PostingTables {
  readonly collection: Collection;
  /** Rows of `stagedSql`; `makePostings` drops their `_terms`. */
  readonly staged: string;
  /** Table to make: `_country`, `term`, `rows`, and `full`, the rows that have their columns; by country and term. */
  readonly terms: string;
  /** Table to make: `_term` (the row of `terms`), `_at` (the row of `staged`) and `is_light`; by both. */
  readonly postings: string;
  readonly target: number;
}

const RAW = "raw_postings";

/**
 * Makes terms and posting lists of staged rows. A posting is light, without the row's columns, where a page of the
 * term's rows stands close together in the id run. Prefixes of names are terms when they fill more than a partition
 * (`beginningsSql`).
 */
export async function makePostings(
  database: Database,
  { collection, staged, terms, postings, target }: PostingTables,
): Promise<void> {
  const isWorldwide = WORLDWIDE.has(collection.name);
  await database.run(`
    CREATE OR REPLACE TABLE ${RAW} AS
    SELECT _country, unnest(_terms) AS _term, _at, len(_terms) > ${MAX_FULL_TERMS} AS _is_light
    FROM (SELECT _country, rowid AS _at, _terms FROM ${staged})`);
  await database.run(`ALTER TABLE ${staged} DROP COLUMN _terms`);
  if (isWorldwide) {
    await database.run(
      `INSERT INTO ${RAW} SELECT ${quoteLiteral(ALL_COUNTRIES)}, _term, _at, true FROM ${RAW} WHERE starts_with(_term, 'name:')`,
    );
  }
  const countries = `(SELECT _country, count(*) AS _country_rows FROM ${staged} GROUP BY ALL)`;
  await database.run(`INSERT INTO ${RAW} ${beginningsSql({ postings: RAW, countries, target })}`);
  await database.run(`
    CREATE OR REPLACE TABLE ${terms} AS
    SELECT _country, _term AS term, rows, CASE WHEN is_close THEN 0 ELSE rows - light END AS "full"
    FROM (
      SELECT *, coalesce(${isCloseSql("rows", target)}, false) AS is_close
      FROM (SELECT _country, _term, count(*)::INTEGER AS rows, (count(*) FILTER (_is_light))::INTEGER AS light FROM ${RAW} GROUP BY ALL)
      LEFT JOIN ${countries} USING (_country)
    ) ORDER BY _country, term`);
  // integers sort quickly: there are dozens of postings for each row
  await database.run(`
    CREATE OR REPLACE TABLE ${postings} AS
    SELECT terms.rowid::INTEGER AS _term, _at, _is_light OR "full" = 0 AS is_light
    FROM ${RAW} raw JOIN ${terms} terms ON raw._country = terms._country AND raw._term = term ORDER BY ALL`);
  await database.run(`DROP TABLE ${RAW}`);
}

/** Whether a page of these rows of a country stands close together in the id run. */
function isCloseSql(rows: string, target: number): string {
  return `_country_rows <= ${PAGE_PARTITIONS * target} * greatest(1, ${rows} / ${PAGE_ROWS})`;
}

/**
 * SQL of the postings of prefixes. Stored are those that fill more than a partition, and the shorter ones of each.
 * Not stored: a prefix of one name alone, and one with the same rows as the first stored prefix that is a letter
 * longer. In the order of terms the first stored prefix that begins with another stands for it: readers rely on that.
 */
function beginningsSql({
  postings,
  countries,
  target,
}: {
  readonly postings: string;
  readonly countries: string;
  readonly target: number;
}): string {
  const sizes = `(SELECT unnest(generate_series(1, ${MAX_TERM_CHARS})) AS size)`;
  return `
    WITH names AS (
      SELECT _country, substr(_term, 6) AS name, _at, _is_light FROM ${postings} WHERE starts_with(_term, 'name:')
    ), candidates AS (
      SELECT _country, left(name, size) AS beginning
      FROM (SELECT _country, name, count(*) AS rows FROM names GROUP BY ALL), ${sizes}
      WHERE size <= length(name) GROUP BY ALL HAVING count(*) > 1 AND sum(rows) > ${target}
    ), beginnings AS (
      SELECT DISTINCT _country, beginning, _at, _is_light
      FROM (SELECT _country, left(name, size) AS beginning, _at, _is_light FROM names, ${sizes} WHERE size <= length(name))
      JOIN candidates USING (_country, beginning)
    ), counted AS (
      SELECT _country, beginning, count(*) AS rows, count(*) FILTER (_is_light) AS light FROM beginnings GROUP BY ALL
    ), heavy AS (
      SELECT _country, beginning FROM counted LEFT JOIN ${countries} USING (_country)
      WHERE rows - CASE WHEN ${isCloseSql("rows", target)} THEN rows ELSE light END * ${1 - LIGHT_SHARE} > ${target}
    ), hot AS (
      SELECT _country, beginning, rows FROM counted
      SEMI JOIN (SELECT _country, left(beginning, size) AS beginning FROM heavy, ${sizes} WHERE size <= length(beginning)) USING (_country, beginning)
    ), longer AS (
      SELECT _country, left(beginning, length(beginning) - 1) AS shorter, arg_min(rows, beginning) AS rows FROM hot GROUP BY ALL
    ), stored AS (
      SELECT _country, beginning FROM hot
      ANTI JOIN longer ON hot._country = longer._country AND hot.beginning = shorter AND hot.rows = longer.rows
    )
    SELECT _country, ${quoteLiteral(prefixTerm(""))} || beginning, _at, _is_light FROM beginnings JOIN stored USING (_country, beginning)`;
}
