/**
 * Checks the term run: order and counts in its slices, and that it has exactly the terms of the rows.
 *
 * @module
 */

import { BIGINT, type DuckDBAppender, LIST } from "@duckdb/node-api";
import type { BBox } from "../../../data/format/bbox.ts";
import type { Collection } from "../../../data/format/collections.ts";
import { MAX_TERM_CHARS } from "../../../data/format/fold.ts";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { hasColumn } from "../../../data/format/own-collections.ts";
import { type Postings, readPostings } from "../../../data/format/postings.ts";
import { BY_ENDS, FACET_COLUMNS, PREFIX_ROWS, prefixTerm, WORLDWIDE } from "../../../data/format/terms.ts";
import { type Database, quoteLiteral } from "../../base/database/index.ts";
import { NUMBERED_TABLE } from "./id-table.ts";
import { checksOf } from "./ledger.ts";
import { ROWS_TABLE } from "./row-table.ts";
import { nameSlice, type TableNode } from "./slice-table.ts";
import { expectNone, openSlice, type Verified } from "./verified.ts";

/**
 * Table of terms in the run: `country`, `term`, `rows`, and `sum` of the hashes of row numbers. A term in several
 * slices has a line for each.
 */
const FOUND_TERMS = "found_terms";
const NUMBERS = "slice_numbers";
const NUMBERS_TYPE = LIST(BIGINT);

/** Row numbers to hold in memory at most. */
const MOST_NUMBERS = 2 ** 20;

/** Returns true if the collection has a column from which terms are made. */
export function hasTerms(collection: Collection): boolean {
  return Object.values(FACET_COLUMNS)
    .flat()
    .some((name) => hasColumn(collection, name));
}

/**
 * Fills the table of terms in the run and reports faults of its slices. `isIndexed` says that the index of the run was
 * read completely. Returns true if all slices could be read.
 */
export async function loadTerms(verified: Verified, isIndexed: boolean): Promise<boolean> {
  const { database, sliceTable, manifest } = verified;
  await database.run(
    `CREATE OR REPLACE TABLE ${FOUND_TERMS} (slice INTEGER, ordinal INTEGER, country VARCHAR, term VARCHAR, rows BIGINT, sum HUGEINT)`,
  );
  const numbers = await openNumbers(database);
  let isWhole = true;
  let before: { node: TableNode<"term">["node"]; terms: number; inTerm: number } | undefined;
  // After an unread slice, the expected start of the next is unknown.
  let isNext = isIndexed;
  for await (const entry of sliceTable.nodes("term")) {
    const { node, slice } = entry;
    const read = await openSlice(verified, "terms", entry, open);
    if (!read) {
      [isWhole, isNext] = [false, false];
      continue;
    }
    const { say, same } = checksOf(verified, nameSlice(entry));
    const { terms, counts } = read;
    same(
      "row counts",
      "rows",
      node.rows,
      counts.reduce((sum, count) => sum + count, 0),
    );
    same("order", "first_term", terms[0], node.first_term);
    same("order", "last_term", terms.at(-1), node.last_term);
    const disordered = terms.find((term, i) => i > 0 && compareIds(terms[i - 1] ?? "", term) >= 0);
    say("order", disordered === undefined, () => `term ${disordered} does not come after the one before`);
    const empty = terms.find((_, i) => counts[i] === 0);
    say("terms", empty === undefined, () => `term ${empty} has no row`);
    const isSplit = isNext && before?.node.country === node.country && before.node.last_term === node.first_term;
    const isAlone = terms.length === 1 && before?.terms === 1;
    say("terms", !isSplit || isAlone, () => `term ${terms[0]} is split, but a slice of it has other terms`);
    const inTerm = isSplit ? (before?.inTerm ?? 0) : isNext ? 0 : node.start;
    same("counts", "start", inTerm, node.start);
    before = { node, terms: terms.length, inTerm: inTerm + node.rows };
    isNext = isIndexed;
    // Numbers of all countries together are counted from 0.
    const first = node.country === ALL_COUNTRIES ? 0 : firstNumberOf(manifest.segments[node.country] ?? 0);
    for (const [ordinal, term] of terms.entries()) {
      await numbers.add({ slice, ordinal, country: node.country, term }, read.numbersAt(ordinal), first);
    }
  }
  await numbers.close();
  return isWhole;
}

/** Checks that the box of each slice is that of its country. `boxes` are by country. */
export async function checkTermBoxes(verified: Verified, boxes: ReadonlyMap<string, BBox>): Promise<void> {
  for await (const entry of verified.sliceTable.nodes("term")) {
    const box = boxes.get(entry.node.country);
    if (box) checksOf(verified, nameSlice(entry)).same("bbox", "bbox of its country", box, entry.node.bbox);
  }
}

/** Reads a slice. Throws if a term's row numbers are unreadable, or if there is no term. */
function open(bytes: Uint8Array): Postings {
  const postings = readPostings(bytes);
  for (const ordinal of postings.terms.keys()) postings.numbersAt(ordinal);
  if (postings.terms.length === 0) throw new Error("it holds no term");
  return postings;
}

interface FoundTerm {
  readonly slice: number;
  readonly ordinal: number;
  readonly country: string;
  readonly term: string;
}

interface Numbers {
  readonly add: (term: FoundTerm, numbers: Float64Array, first: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Returns functions that add terms to the table, and sum the hashes of row numbers in parts that fit in memory. */
async function openNumbers(database: Database): Promise<Numbers> {
  await database.run(
    `CREATE OR REPLACE TABLE ${NUMBERS} (slice INTEGER, ordinal INTEGER, country VARCHAR, term VARCHAR, numbers BIGINT[])`,
  );
  let appender: DuckDBAppender = await database.connection.createAppender(NUMBERS);
  let waiting = 0;
  const sumUp = async (): Promise<void> => {
    appender.closeSync();
    await database.run(`
      INSERT INTO ${FOUND_TERMS}
      SELECT slice, ordinal, country, term, count(number), coalesce(sum(hash(number)::HUGEINT), 0)
      FROM (SELECT slice, ordinal, country, term, unnest(CASE WHEN len(numbers) = 0 THEN [NULL] ELSE numbers END) AS number FROM ${NUMBERS}) GROUP BY ALL`);
    await database.run(`TRUNCATE ${NUMBERS}`);
    waiting = 0;
  };
  return {
    add: async ({ slice, ordinal, country, term }, numbers, first) => {
      appender.appendInteger(slice);
      appender.appendInteger(ordinal);
      appender.appendVarchar(country);
      appender.appendVarchar(term);
      appender.appendList(
        Array.from(numbers, (number) => BigInt(first + number)),
        NUMBERS_TYPE,
      );
      appender.endRow();
      waiting += numbers.length;
      if (waiting < MOST_NUMBERS) return;
      await sumUp();
      appender = await database.connection.createAppender(NUMBERS);
    },
    close: async () => {
      await sumUp();
      await database.run(`DROP TABLE ${NUMBERS}`);
    },
  };
}

/** Table of expected terms: `country`, `term`, `rows`, `sum`. A term has a line for each batch of countries. */
const EXPECTED_TERMS = "expected_terms";
/**
 * Tables of names with `country`, `number` (row number) and `name`: of the checked batch, and of all countries
 * together.
 */
const NAMES = "expected_names";
const ALL_NAMES = "expected_all_names";

const NAME = quoteLiteral("name:");
const PREFIX = quoteLiteral(prefixTerm(""));
const ALL = quoteLiteral(ALL_COUNTRIES);
const SIZES = `(SELECT unnest(generate_series(1, ${MAX_TERM_CHARS})) AS size)`;

/** Creates the empty table of expected terms. */
export async function emptyTermTables(database: Database): Promise<void> {
  await database.run(
    `CREATE OR REPLACE TABLE ${EXPECTED_TERMS} (country VARCHAR, term VARCHAR, rows BIGINT, sum HUGEINT)`,
  );
  await database.run(`CREATE OR REPLACE TABLE ${ALL_NAMES} (country VARCHAR, number BIGINT, name VARCHAR)`);
}

/**
 * Adds the terms of the rows of these countries to the table of expected terms. Rows, records and ids of the countries
 * must be complete.
 */
export async function reportTerms(
  { database, name, prefixRows }: Verified,
  countries: ReadonlySet<string>,
): Promise<void> {
  if (countries.size === 0) return;
  const within = [...countries].map(quoteLiteral).join(", ");
  const postings = `(SELECT country, number, unnest(terms) AS term FROM ${ROWS_TABLE} JOIN ${NUMBERED_TABLE} USING (country, id) WHERE country IN (${within}))`;
  await database.run(`INSERT INTO ${EXPECTED_TERMS} SELECT country, term, ${SUMS} FROM ${postings} GROUP BY ALL`);
  await database.run(`
    CREATE OR REPLACE TABLE ${NAMES} AS
    SELECT country, number, substr(term, length(${NAME}) + 1) AS name FROM ${postings} WHERE starts_with(term, ${NAME})`);
  await database.run(`INSERT INTO ${EXPECTED_TERMS} ${prefixesSql(NAMES, prefixRows)}`);
  if (WORLDWIDE.has(name)) await database.run(`INSERT INTO ${ALL_NAMES} SELECT ${ALL}, number, name FROM ${NAMES}`);
  await database.run(`DROP TABLE ${NAMES}`);
}

const SUMS = "count(*), sum(hash(number)::HUGEINT)";

/**
 * Returns SQL for the prefixes that are terms: those of names with more than `prefixRows` rows. Leaves out a prefix of
 * only one name, and one with as many rows as the first prefix that is a letter longer.
 */
function prefixesSql(names: string, prefixRows = PREFIX_ROWS): string {
  return `
    WITH candidates AS (
      SELECT country, left(name, size) AS prefix
      FROM (SELECT country, name, count(*) AS rows FROM ${names} GROUP BY ALL), ${SIZES}
      WHERE size <= length(name) GROUP BY ALL HAVING count(*) > 1 AND sum(rows) > ${prefixRows}
    ), counted AS (
      SELECT country, prefix, count(*) AS rows, sum(hash(number)::HUGEINT) AS sum
      FROM (
        SELECT DISTINCT country, prefix, number
        FROM (SELECT country, number, left(name, size) AS prefix FROM ${names}, ${SIZES} WHERE size <= length(name))
        SEMI JOIN candidates USING (country, prefix)
      ) GROUP BY ALL HAVING count(*) > ${prefixRows}
    ), longer AS (
      SELECT country, left(prefix, length(prefix) - 1) AS shorter, arg_min(rows, prefix) AS rows
      FROM counted WHERE length(prefix) > 1 GROUP BY ALL
    )
    SELECT counted.country, ${PREFIX} || counted.prefix, counted.rows, counted.sum
    FROM counted ANTI JOIN longer
      ON counted.country = longer.country AND counted.prefix = shorter AND counted.rows = longer.rows`;
}

/**
 * Compares the terms of the run with the expected ones: those of these countries, and if `isWhole`, those of all
 * countries together.
 */
export async function compareTerms(
  verified: Verified,
  countries: ReadonlySet<string>,
  isWhole: boolean,
): Promise<void> {
  const { database, prefixRows } = verified;
  const codes = [...countries, ...(isWhole ? [ALL_COUNTRIES] : [])].map(quoteLiteral).join(", ");
  if (codes === "") return;
  await database.run(`
    INSERT INTO ${EXPECTED_TERMS} SELECT country, ${NAME} || name, ${SUMS} FROM ${ALL_NAMES} GROUP BY country, name`);
  if (BY_ENDS.has(verified.name)) {
    await database.run(`
      INSERT INTO ${EXPECTED_TERMS} SELECT country, end_term(${NAME} || name) AS term, ${SUMS} FROM ${ALL_NAMES} WHERE term IS NOT NULL GROUP BY ALL`);
  }
  await database.run(`INSERT INTO ${EXPECTED_TERMS} ${prefixesSql(ALL_NAMES, prefixRows)}`);
  const sums = (table: string): string =>
    `(SELECT country, term, sum(rows)::BIGINT AS rows, sum(sum) AS sum FROM ${table} WHERE country IN (${codes}) GROUP BY ALL)`;
  for (const [what, condition] of [
    ["are missing from the term run", "found.rows IS NULL"],
    ["of the term run should not be there", "expected.rows IS NULL"],
    ["have not the rows that they should", "(expected.rows, expected.sum) IS DISTINCT FROM (found.rows, found.sum)"],
  ] as const) {
    const isBoth = condition.startsWith("(") ? "expected.rows IS NOT NULL AND found.rows IS NOT NULL AND" : "";
    const sql = `
      SELECT count(*) AS rows, to_json(arg_min({country: country, term: term, expected: expected.rows, found: found.rows}, (country, term)))::VARCHAR AS first
      FROM ${sums(EXPECTED_TERMS)} expected FULL JOIN ${sums(FOUND_TERMS)} found USING (country, term)
      WHERE ${isBoth} ${condition}`;
    await expectNone(verified, "terms", sql, (terms, first) => `${terms} terms ${what}, such as ${spell(first)}`);
  }
}

function spell(text: string): string {
  const first = JSON.parse(text) as { country?: string; term?: string; expected?: number; found?: number };
  return `${first.term} of ${first.country}: ${first.found ?? "no"} rows, expected ${first.expected ?? "none"}`;
}
