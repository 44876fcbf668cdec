/**
 * Reads many short ranges of a long table. DuckDB scans a whole table for each, so neighbouring ranges are copied
 * into a short table first. @module
 */

import type { Database } from "../database/index.ts";
import { ROW_GROUP_ROWS } from "./copy-to-parquet.ts";

/** By `rowid`, the end exclusive. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

export const BATCH_ROWS = 16 * 1024;

const BATCH = "batch";

export interface Placed<Range> {
  readonly range: Range;
  readonly index: number;
}

/** What follows FROM in a query of a range's rows. */
export interface RangeSql {
  readonly rows: string;
  /** The same in order, for `copyToParquet`. */
  readonly inOrder: string;
}

/**
 * Runs the task for each batch with a temporary table of its rows alone, from rowid 0 on. It is written, and queries
 * in the task run, on one thread.
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
    // temporary: other connections have tables of the same name
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE ${BATCH} AS SELECT * FROM ${table} WHERE rowid >= ${first.range.start} AND rowid < ${last.range.end}`,
    );
    await task(connection, BATCH, batch);
    await connection.run(`DROP TABLE ${BATCH}`);
  });
}

/** Runs the task for each range, on one thread. The ranges rise and do not overlap. */
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
      // a table keeps its order, and what fits one row group is one: sorting would take a third of the time
      const inOrder = high - low <= ROW_GROUP_ROWS ? rows : `${rows} ORDER BY rowid`;
      await task(connection, { rows, inOrder }, placed);
    }
  });
}

/** Neighbouring ranges that weigh at most `most` together, or one range. A range weighs its rows by default. */
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
