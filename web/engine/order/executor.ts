/**
 * What carries out a plan once its partitions are in memory. The executors differ in how; their answers do not.
 * @module
 */
import type { ExecutorName } from "../contract/query.ts";
import type { Partition } from "../store/partition.ts";

/** A partition with the rows of it that match. */
export interface Candidates {
  readonly partition: Partition;
  /** Metres by row, rounded, Infinity for rows that do not match; left out when all rows match and only ids count. */
  readonly distances?: Float64Array;
}

export interface RowRef {
  readonly partition: Partition;
  readonly row: number;
  readonly distanceMeters?: number;
}

/** The rows of a page, the number of all that match, and who ordered them how. */
export interface OrderedRows {
  readonly rows: readonly RowRef[];
  readonly matched: number;
  readonly executor: ExecutorName;
  readonly sql: readonly string[];
}

export interface PageRange {
  /** Inclusive. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** The distances of all rows that match, in order, where the caller has them. */
  readonly distances?: Float64Array | undefined;
}

/** Rows in order: distance where there is one, then id as bytes, then the order of the partitions given. */
export interface Executor {
  /** The rows of ranks `start` (inclusive) to `end` (exclusive) among all that match, and the number of those. */
  run(candidates: readonly Candidates[], range: PageRange, signal?: AbortSignal): Promise<OrderedRows>;
  /** Hears that a partition has left memory. */
  forget(partition: Partition): void;
}
