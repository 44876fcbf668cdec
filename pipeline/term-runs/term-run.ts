/**
 * The term run: rows by (country, term, id) with their columns, so that a page of a search by name or category is
 * read from one place. @module
 */
import type { Collection } from "../../data/format/collections.ts";
import { ALL_COUNTRIES, type PartitionNode } from "../../data/format/manifest.ts";
import { TERM_RUN_COLUMNS } from "../../data/format/terms.ts";
import { type Database, quoteLiteral } from "../database/index.ts";
import { batchRanges, type CellCount, countCells, planRun } from "../partitions/index.ts";
import { idKeySql } from "../rows/index.ts";
import { type CountryTerms, LIGHT_SHARE, type PlannedPostings, planTermRun, weightOf } from "./plan-terms.ts";
import { readTermCounts } from "./term-counts.ts";
import { makePostings, type PostingTables, termColumns } from "./term-postings.ts";
import { writeTermPartitions } from "./write-term-run.ts";

/** A search by term reads one or two partitions: half the size of other runs' keeps it quick. */
const SHARE_OF_TARGET = 0.5;

const TERMS = "terms";
const POSTINGS = "postings";
const POSTINGS_OF_SLICE = "postings_of_slice";
const SLICE = "slice_of_run";

const OF_SLICE: Readonly<Record<string, string>> = {
  term: "term",
  is_light: "is_light",
  row_country: "staged._country AS row_country",
  id: "staged.id",
  bbox: "staged.bbox",
};

/** With all columns, for a connection at a time. */
const SLICE_ROWS = 256 * 1024;

export interface TermRunOptions {
  readonly collection: Collection;
  /** Table of `stagedSql`'s rows, by id, or by country and id. */
  readonly staged: string;
  /** Database for the run's own tables. */
  readonly home: string;
  readonly target: number;
  readonly folder: string;
}

export async function makeTermPartitions(database: Database, options: TermRunOptions): Promise<PartitionNode[]> {
  const { collection, staged, home, target, folder } = options;
  if (termColumns(collection).length === 0) return [];
  const goal = Math.max(1, Math.floor(target * SHARE_OF_TARGET));
  const tables = { staged, terms: `${home}.${TERMS}`, postings: `${home}.${POSTINGS}` };
  await makePostings(database, { ...tables, collection, target: goal });
  const counts = await readTermCounts(
    database,
    `SELECT _country, term, rows, "full" FROM ${tables.terms} ORDER BY rowid`,
  );
  const planned = planTermRun(await withParts(database, { counts, tables, target: goal }), goal);
  const slices = batchRanges(
    planned,
    SLICE_ROWS,
    ({ start, end, isLight }) => (end - start) * (isLight ? LIGHT_SHARE : 1),
  );
  const partitions: PartitionNode[][] = new Array(slices.length);
  await database.each(slices, async (connection, slice, index) => {
    const ranges = slice.map(({ range }) => range);
    partitions[index] = await writeSlice(connection, { collection, tables, folder }, ranges);
  });
  for (const table of [tables.postings, tables.terms]) await database.run(`DROP TABLE ${table}`);
  return partitions.flat();
}

type Tables = Pick<PostingTables, "staged" | "terms" | "postings">;

interface Written extends Pick<TermRunOptions, "collection" | "folder"> {
  readonly tables: Tables;
}

/** Writes neighbouring partitions on one thread: first full ones, then light ones, which need few columns. */
async function writeSlice(
  database: Database,
  options: Written,
  planned: readonly PlannedPostings[],
): Promise<PartitionNode[]> {
  const made = new Map<PlannedPostings, PartitionNode>();
  for (const isLight of [false, true]) {
    const ranges = planned.filter((range) => range.isLight === isLight);
    if (ranges.length === 0) continue;
    const nodes = await writeAlike(database, options, TERM_RUN_COLUMNS[isLight ? "light" : "full"], ranges);
    for (const [index, node] of nodes.entries()) made.set(ranges[index] as PlannedPostings, node);
  }
  return planned.map((range) => made.get(range) as PartitionNode);
}

async function writeAlike(
  database: Database,
  { collection, tables: { staged, terms, postings }, folder }: Written,
  columns: readonly { readonly name: string }[],
  ranges: readonly PlannedPostings[],
): Promise<PartitionNode[]> {
  const names = columns.map(({ name }) => name);
  const kept = names.map((name) => OF_SLICE[name] ?? `CASE WHEN NOT is_light THEN staged.${name} END AS ${name}`);
  const [first, last] = [ranges[0]?.start ?? 0, ranges.at(-1)?.end ?? 0];
  const countries = ranges.map(({ country }) => country).filter((country) => country !== ALL_COUNTRIES);
  const isOfCountries = countries.length === ranges.length;
  const least = quoteLiteral(countries[0] ?? "");
  const greatest = quoteLiteral(countries.at(-1) ?? "");
  const within = ranges.map(({ start, end }) => `(${start}, ${end})`).join(", ");
  const [of] = await database.rows<{ least: number; greatest: number }>(
    `SELECT min(_term) AS least, max(_term) AS greatest FROM ${postings} WHERE rowid >= ${first} AND rowid < ${last}`,
  );
  // a table of its own tells DuckDB how few rows join: else it may hold all staged rows in memory
  await database.run(`
    CREATE OR REPLACE TEMP TABLE ${POSTINGS_OF_SLICE} AS
    SELECT term, is_light, _at, _place
    FROM (SELECT *, rowid AS _place FROM ${postings} WHERE rowid >= ${first} AND rowid < ${last})
    ASOF JOIN (VALUES ${within}) ranges(_start, _end) ON _place >= _start
    JOIN (SELECT rowid AS _term, term FROM ${terms} WHERE rowid BETWEEN ${of?.least} AND ${of?.greatest}) USING (_term)
    WHERE _place < _end`);
  await database.run(`
    CREATE OR REPLACE TEMP TABLE ${SLICE} AS
    SELECT ${kept.join(", ")}
    FROM ${POSTINGS_OF_SLICE} JOIN ${staged} staged ON staged.rowid = _at
    ${isOfCountries ? `WHERE staged._country BETWEEN ${least} AND ${greatest}` : ""}
    ORDER BY _place`);
  await database.run(`DROP TABLE ${POSTINGS_OF_SLICE}`);
  let rows = 0;
  const moved = ranges.map((range) => {
    const start = rows;
    rows += range.end - range.start;
    return { ...range, start, end: rows };
  });
  const into = { collection: collection.name, run: "term", table: SLICE, isByOneThread: true, folder } as const;
  const made = await writeTermPartitions(database, { ...into, columns: names }, moved);
  await database.run(`DROP TABLE ${SLICE}`);
  return made;
}

const HOT = "hot_terms";
const HOT_KEYS = "hot_keys";

/** At a time: each has dozens of cells in JavaScript. */
const HOT_TERMS = 4096;

interface HotTerm {
  readonly term: number;
  readonly rows: number;
  readonly weight: number;
  readonly cut: (parts: readonly number[]) => void;
}

type Cut = Pick<Written, "tables"> & Pick<TermRunOptions, "target">;

/** Adds the parts of terms too large for a partition, cut by ids as the id run is, so that most stay as they are. */
async function withParts(
  database: Database,
  { counts, ...options }: { counts: readonly CountryTerms[] } & Cut,
): Promise<CountryTerms[]> {
  const hot: HotTerm[] = [];
  let before = 0;
  const whole = counts.map((count) => {
    const parts = new Map<number, readonly number[]>();
    for (const [place, rows] of count.rows.entries()) {
      const weight = weightOf(rows, count.full[place] ?? 0);
      if (weight <= options.target) continue;
      hot.push({ term: before + place, rows, weight, cut: (cuts) => parts.set(place, cuts) });
    }
    before += count.rows.length;
    return { ...count, parts };
  });
  for (let first = 0; first < hot.length; first += HOT_TERMS) {
    await cutHotTerms(database, { hot: hot.slice(first, first + HOT_TERMS), ...options });
  }
  return whole;
}

async function cutHotTerms(
  database: Database,
  { hot, tables: { staged, postings }, target }: { hot: readonly HotTerm[] } & Cut,
): Promise<void> {
  const keyOf = (index: number): string => String(index).padStart(9, "0");
  await database.run(`CREATE OR REPLACE TABLE ${HOT} (_term INTEGER, hot VARCHAR)`);
  const appender = await database.connection.createAppender(HOT);
  for (const [index, { term }] of hot.entries()) {
    appender.appendInteger(term);
    appender.appendVarchar(keyOf(index));
    appender.endRow();
  }
  appender.closeSync();
  await database.run(`
    CREATE OR REPLACE TABLE ${HOT_KEYS} AS SELECT hot AS _country, _id_key
    FROM ${postings} JOIN ${HOT} USING (_term)
    JOIN (SELECT rowid AS _at, ${idKeySql("id")} AS _id_key FROM ${staged}) USING (_at)`);
  const targetOf = ({ rows, weight }: HotTerm): number => Math.max(1, Math.floor((target * rows) / weight));
  const least = hot.reduce((rows, term) => Math.min(rows, targetOf(term)), Number.POSITIVE_INFINITY);
  const cells = await countCells(database, { table: HOT_KEYS, sizeClass: "0", key: "_id_key" }, least);
  const byTerm = new Map<string, CellCount[]>();
  for (const cell of cells) {
    const mine = byTerm.get(cell.country);
    if (mine) mine.push(cell);
    else byTerm.set(cell.country, [cell]);
  }
  for (const [index, term] of hot.entries()) {
    const planned = planRun(byTerm.get(keyOf(index)) ?? [], targetOf(term));
    term.cut(planned.map(({ start, end }) => end - start));
  }
  for (const table of [HOT, HOT_KEYS]) await database.run(`DROP TABLE ${table}`);
}
