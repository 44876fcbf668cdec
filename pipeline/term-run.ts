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
import { planTermRun, type TermCount, weightOf } from "./plan-terms.ts";
import { quoteIdentifier } from "./sql.ts";
import { makePostings, termColumns } from "./term-postings.ts";
import { writeTermPartitions } from "./write-term-run.ts";

/** A search by term reads one or two partitions and no more: half the size of the other runs' keeps it quick. */
const SHARE_OF_TARGET = 0.5;

const POSTINGS = "postings";
const RUN = "run_term";

export interface TermRunOptions {
  readonly collection: Collection;
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
  const columns = collection.columns.map(({ name }) => name);
  // a light row keeps what names it and where it lies
  const kept = columns.map((name) => {
    const column = `staged.${quoteIdentifier(name)}`;
    return name === "id" || name === "bbox"
      ? column
      : `CASE WHEN NOT _is_light THEN ${column} END AS ${quoteIdentifier(name)}`;
  });
  await database.run(`
    CREATE OR REPLACE TABLE ${RUN} AS
    SELECT p._country AS _country, p._term AS term, p._is_light AS is_light, staged._country AS row_country, ${kept.join(", ")}
    FROM ${POSTINGS} p JOIN ${staged} staged ON staged.rowid = p._at
    ORDER BY p._country, p._term, staged.id`);
  await database.run(`DROP TABLE ${POSTINGS}`);
  const counts = await database.rows<TermCount>(
    `SELECT _country AS country, term, count(*) AS rows, count(*) FILTER (NOT is_light) AS "full" FROM ${RUN} GROUP BY ALL ORDER BY _country, term`,
  );
  const into = {
    collection: collection.name,
    run: "term",
    table: RUN,
    columns: ["term", "is_light", "row_country", ...columns],
  } as const;
  const partitions = await writeTermPartitions(
    database,
    { ...into, folder },
    planTermRun(await withParts(database, counts, goal), goal),
  );
  await database.run(`DROP TABLE ${RUN}`);
  return partitions;
}

const HOT = "hot_terms";
const HOT_KEYS = "hot_keys";

/** The counts, with the parts of terms that fit no partition: cut by ids as the id run is, so that most stay as they are. */
async function withParts(database: Database, counts: readonly TermCount[], target: number): Promise<TermCount[]> {
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
    FROM ${RUN} JOIN ${HOT} ON _country = hot_country AND term = hot_term`);
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
