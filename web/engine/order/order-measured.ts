/**
 * Orders the measured rows of a search by location.
 * @module
 */
import { countBelow } from "../plan/ranks.ts";
import { inTurn } from "../tasks/in-turn.ts";

/** Rows measured together, from one partition. */
export interface Measured {
  /** Metres by row, rounded to 1 mm; Infinity for rows that do not match. */
  readonly distances: Float64Array;
}

interface MeasuredRows {
  readonly lists: readonly Measured[];
  /** Sorted distances of the matching rows of all lists. */
  readonly sorted: Float64Array;
}

/** A row by its position among the measured rows. */
interface MeasuredRow {
  readonly list: number;
  readonly row: number;
  readonly distanceMeters: number;
}

interface OrderedRows {
  /** By distance, ties in no order, without rows that do not match. */
  readonly rows: readonly MeasuredRow[];
  /** Rank of the first of the rows. */
  readonly start: number;
}

/** Ranks; `end` is exclusive. */
interface RankRange {
  readonly start: number;
  readonly end: number;
}

/** Returns the rows of these ranks by distance, with all rows that are as far as the first or the last of them. */
export async function orderMeasured({ lists, sorted }: MeasuredRows, { start, end }: RankRange): Promise<OrderedRows> {
  const first = sorted[start] ?? Number.POSITIVE_INFINITY;
  const last = sorted[Math.min(end, sorted.length) - 1] ?? Number.NEGATIVE_INFINITY;
  const rows: MeasuredRow[] = [];
  for (const [list, { distances }] of lists.entries()) {
    for (let row = 0; row < distances.length; row++) {
      const distanceMeters = distances[row] as number;
      if (distanceMeters >= first && distanceMeters <= last) rows.push({ list, row, distanceMeters });
    }
  }
  await inTurn(() => rows.sort((a, b) => a.distanceMeters - b.distanceMeters));
  return { rows, start: countBelow(sorted, first) };
}

/** Returns the finite distances in ascending order. */
export function sortedDistances(columns: readonly Float64Array[]): Float64Array {
  const matching = columns.map((column) => column.filter((meters) => meters !== Number.POSITIVE_INFINITY));
  const all = new Float64Array(matching.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const column of matching) {
    all.set(column, offset);
    offset += column.length;
  }
  return all.sort();
}
