/**
 * What orders the rows of a search by place once they are measured. The executors differ in how; their answers do not.
 * @module
 */
import type { ExecutorName } from "../contract/query.ts";

/** Rows measured together: those of a partition. */
export interface Measured {
  /** Metres by row, to 1 mm, Infinity for rows that do not match. */
  readonly distances: Float64Array;
}

/** All that was measured. */
export interface MeasuredRows {
  readonly lists: readonly Measured[];
  /** Distances of the rows that match, of all lists, in order. */
  readonly sorted: Float64Array;
}

/** A row by its place among those measured. */
export interface MeasuredRow {
  /** Index of the list that it stands in. */
  readonly list: number;
  readonly row: number;
  readonly distanceMeters: number;
}

export interface OrderedRows {
  /** By distance; those as far as each other in no order, and none of those left out. */
  readonly rows: readonly MeasuredRow[];
  /** Rank of the first. */
  readonly start: number;
  readonly sql: readonly string[];
}

/** Ranks, half-open. */
export interface RankRange {
  readonly start: number;
  readonly end: number;
}

export interface Executor {
  readonly name: ExecutorName;
  /** The rows of these ranks by distance, and all that are as far as the first or the last of them. */
  order(rows: MeasuredRows, ranks: RankRange, signal?: AbortSignal): Promise<OrderedRows>;
}
