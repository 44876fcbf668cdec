/**
 * Reads many short ranges of a long table. A query looks at all of a table before it reads a part, so ranges that stand
 * together are taken out into a short one first.
 * @module
 */

import type { Database } from "../database/index.ts";
import { ROW_GROUP_ROWS } from "./copy-to-parquet.ts";

/** Rows of a table, the end exclusive: a row's place is its `rowid`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** Long enough that few batches are taken out, short enough to be read again and again. */
export const BATCH_ROWS = 16 * 1024;

const BATCH = "batch";

/** A range with its place among all. */
export interface Placed<Range> {
  readonly range: Range;
  readonly index: number;
}

/** The rows of a range, as what follows FROM in a query of them. */
export interface RangeSql {
  readonly rows: string;
  /** The same, for `copyToParquet`: in their order, and so that row groups come out exact. */
  readonly inOrder: string;
}

/**
 * Carries out a task for every batch of ranges that stand together, given a table of its rows alone, from place 0 on: written
 * by one thread, so that it is cut into vectors from there. Queries in the task use one thread.
 */
export async function eachBatch<Range extends RowRange>(
  database: Database,
  table: string,
  batches: readonly Placed<Range>[][],
  task: (connection: Database, rows: string, batch: readonly Placed<Range>[]) => Promise<void>,
): Promise<void> {
  await database.each(batches, async (connection, batch) => {
    const [first, last] = [batch[0], batch.at(-1)];
    if (!first || !last) return;
    // of this connection: others have tables of that name at the same time
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${BATCH} AS SELECT * FROM ${table} WHERE rowid >= ${first.range.start} AND rowid < ${last.range.end}`,
    );
    await task(connection, BATCH, batch);
    await connection.run(`DROP TABLE ${BATCH}`);
  });
}

/**
 * Carries out a task for every range of the table, given its rows. The ranges rise and do not overlap. Queries in the task
 * use one thread.
 */
export async function eachRange<Range extends RowRange>(
  database: Database,
  table: string,
  ranges: readonly Range[],
  task: (connection: Database, sql: RangeSql, placed: Placed<Range>) => Promise<void>,
): Promise<void> {
  await eachBatch(database, table, batchRanges(ranges, BATCH_ROWS), async (connection, batchRows, batch) => {
    const start = batch[0]?.range.start ?? 0;
    for (const placed of batch) {
      const [low, high] = [placed.range.start - start, placed.range.end - start];
      const rows = `${batchRows} WHERE rowid >= ${low} AND rowid < ${high}`;
      // a table keeps its order, and what fits one row group is one: a sort would take a third of the time of a copy
      const inOrder = high - low <= ROW_GROUP_ROWS ? rows : `${rows} ORDER BY rowid`;
      await task(connection, { rows, inOrder }, placed);
    }
  });
}

/** Ranges that stand together and weigh `most` in all, or one range. A range weighs its rows when nothing else is said. */
export function batchRanges<Range extends RowRange>(
  ranges: readonly Range[],
  most: number,
  weigh: (range: Range) => number = ({ start, end }) => end - start,
): Placed<Range>[][] {
  const batches: Placed<Range>[][] = [];
  let weight = 0;
  for (const [index, range] of ranges.entries()) {
    const batch = batches.at(-1);
    weight += weigh(range);
    if (batch && weight <= most) {
      batch.push({ range, index });
      continue;
    }
    batches.push([{ range, index }]);
    weight = weigh(range);
  }
  return batches;
}
