/**
 * Makes the term run of a collection: rows by (country, term, id), each with its columns, so that a page of a search by
 * name or category is read from one place.
 * @module
 */
import type { Collection } from "../data/format/collections.ts";
import type { PartitionNode } from "../data/format/manifest.ts";
import type { Database } from "./database.ts";
import { countCells } from "./histogram.ts";
import { idKeySql } from "./order-keys.ts";
import { type CellCount, planRun } from "./plan-partitions.ts";
import { type PlannedTerms, planTermRun, type TermCount, weightOf } from "./plan-terms.ts";
import { batchRanges } from "./ranges.ts";
import { quoteIdentifier } from "./sql.ts";
import { makePostings, termColumns } from "./term-postings.ts";
import { writeTermPartitions } from "./write-term-run.ts";

/** A search by term reads one or two partitions and no more: half the size of the other runs' keeps it quick. */
const SHARE_OF_TARGET = 0.5;

const POSTINGS = "postings";
const RUN = "run_term";
const SLICE = "slice_of_run";

/** Rows that are held with all their columns at a time. */
const SLICE_ROWS = 256 * 1024;

export interface TermRunOptions {
  readonly collection: Collection;
  /** Table of rows by id, with `_country`. */
  readonly staged: string;
  /** Row target of the collection's other runs. */
  readonly target: number;
  readonly folder: string;
}

/** The partitions of the term run, none when no row has terms. Needs `rowTerms` registered. */
export async function makeTermPartitions(database: Database, options: TermRunOptions): Promise<PartitionNode[]> {
  const { collection, staged, target, folder } = options;
  if (termColumns(collection).length === 0) return [];
  const goal = Math.max(1, Math.floor(target * SHARE_OF_TARGET));
  await makePostings(database, { collection, staged, table: POSTINGS, target: goal });
  // narrow: a row stands here once for each of its terms
  await database.run(`
    CREATE OR REPLACE TABLE ${RUN} AS
    SELECT _country, _term AS term, _is_light AS is_light, _at FROM ${POSTINGS} ORDER BY _country, term, _at`);
  await database.run(`DROP TABLE ${POSTINGS}`);
  const counts = await database.rows<TermCount>(
    `SELECT _country AS country, term, count(*) AS rows, count(*) FILTER (NOT is_light) AS "full" FROM ${RUN} GROUP BY ALL ORDER BY _country, term`,
  );
  const planned = planTermRun(await withParts(database, { counts, staged, target: goal }), goal);
  const partitions: PartitionNode[] = [];
  for (const slice of batchRanges(planned, SLICE_ROWS)) {
    partitions.push(
      ...(await writeSlice(
        database,
        { collection, staged, folder },
        slice.map(({ range }) => range),
      )),
    );
  }
  await database.run(`DROP TABLE ${RUN}`);
  return partitions;
}

/** Writes partitions that stand together, from their rows with all columns. */
async function writeSlice(
  database: Database,
  { collection, staged, folder }: Pick<TermRunOptions, "collection" | "staged" | "folder">,
  planned: readonly PlannedTerms[],
): Promise<PartitionNode[]> {
  const columns = collection.columns.map(({ name }) => name);
  // a light row keeps what names it and where it lies
  const kept = columns.map((name) => {
    const column = `staged.${quoteIdentifier(name)}`;
    return name === "id" || name === "bbox"
      ? column
      : `CASE WHEN NOT is_light THEN ${column} END AS ${quoteIdentifier(name)}`;
  });
  const [start, end] = [planned[0]?.start ?? 0, planned.at(-1)?.end ?? 0];
  await database.run(`
    CREATE OR REPLACE TABLE ${SLICE} AS
    SELECT term, is_light, staged._country AS row_country, ${kept.join(", ")}
    FROM (SELECT *, rowid AS _place FROM ${RUN} WHERE rowid >= ${start} AND rowid < ${end}) p
    JOIN ${staged} staged ON staged.rowid = p._at
    ORDER BY _place`);
  const into = { collection: collection.name, run: "term", table: SLICE, folder } as const;
  const made = await writeTermPartitions(
    database,
    { ...into, columns: ["term", "is_light", "row_country", ...columns] },
    planned.map((range) => ({ ...range, start: range.start - start, end: range.end - start })),
  );
  await database.run(`DROP TABLE ${SLICE}`);
  return made;
}

const HOT = "hot_terms";
const HOT_KEYS = "hot_keys";

/** The counts, with the parts of terms that fit no partition: cut by ids as the id run is, so that most stay as they are. */
async function withParts(
  database: Database,
  { counts, staged, target }: { counts: readonly TermCount[]; staged: string; target: number },
): Promise<TermCount[]> {
  const hot = counts.filter((count) => weightOf(count) > target);
  if (hot.length === 0) return [...counts];
  const keyOf = (index: number): string => String(index).padStart(9, "0");
  await database.run(`CREATE OR REPLACE TABLE ${HOT} (hot_country VARCHAR, hot_term VARCHAR, hot VARCHAR)`);
  const appender = await database.connection.createAppender(HOT);
  for (const [index, { country, term }] of hot.entries()) {
    for (const text of [country, term, keyOf(index)]) appender.appendVarchar(text);
    appender.endRow();
  }
  appender.closeSync();
  await database.run(`
    CREATE OR REPLACE TABLE ${HOT_KEYS} AS SELECT hot AS _country, ${idKeySql("id")} AS _id_key
    FROM ${RUN} run JOIN ${HOT} ON run._country = hot_country AND term = hot_term
    JOIN ${staged} staged ON staged.rowid = _at`);
  const targetOf = (count: TermCount): number => Math.max(1, Math.floor((target * count.rows) / weightOf(count)));
  const least = hot.reduce((rows, count) => Math.min(rows, targetOf(count)), Number.POSITIVE_INFINITY);
  const cells = await countCells(database, { table: HOT_KEYS, sizeClass: "0", key: "_id_key" }, least);
  const byTerm = new Map<string, CellCount[]>();
  for (const cell of cells) {
    const mine = byTerm.get(cell.country);
    if (mine) mine.push(cell);
    else byTerm.set(cell.country, [cell]);
  }
  const parts = new Map<TermCount, number[]>();
  for (const [index, count] of hot.entries()) {
    const planned = planRun(byTerm.get(keyOf(index)) ?? [], targetOf(count));
    parts.set(
      count,
      planned.map(({ start, end }) => end - start),
    );
  }
  for (const table of [HOT, HOT_KEYS]) await database.run(`DROP TABLE ${table}`);
  return counts.map((count) => ({ ...count, parts: parts.get(count) }));
}
