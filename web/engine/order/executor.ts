/**
 * The interface that orders the measured rows of a search by location. All executors give the same results.
 * @module
 */
import type { ExecutorName } from "../contract/query.ts";

/** Rows measured together, from one partition. */
export interface Measured {
  /** Metres by row, rounded to 1 mm; Infinity for rows that do not match. */
  readonly distances: Float64Array;
}

export interface MeasuredRows {
  readonly lists: readonly Measured[];
  /** Sorted distances of the matching rows of all lists. */
  readonly sorted: Float64Array;
}

/** A row by its position among the measured rows. */
export interface MeasuredRow {
  readonly list: number;
  readonly row: number;
  readonly distanceMeters: number;
}

export interface OrderedRows {
  /** By distance, ties in no order, without rows that do not match. */
  readonly rows: readonly MeasuredRow[];
  readonly start: number;
  readonly sql: readonly string[];
}

/** Ranks; `end` is exclusive. */
export interface RankRange {
  readonly start: number;
  readonly end: number;
}

export interface Executor {
  readonly name: ExecutorName;
  /** Returns the rows of these ranks by distance, including all ties with the first and last of them. */
  order(rows: MeasuredRows, ranks: RankRange, signal?: AbortSignal): Promise<OrderedRows>;
}
