/**
 * The executor that needs nothing but the rows: a loop.
 * @module
 */
import { compareIds } from "../../../data/format/ids.ts";
import { countBelow } from "../plan/ranks.ts";
import { inTurn } from "../tasks/in-turn.ts";
import type { Candidates, Executor, RowRef } from "./executor.ts";

interface Row extends RowRef {
  readonly order: number;
  readonly id: string;
}

/** Orders rows in TypeScript. */
export const scan: Executor = {
  async run(candidates, { start, end, distances: known }) {
    const distances = known ?? (await inTurn(() => sortedDistances(candidates)));
    const isMeasured = distances !== undefined;
    const matched = distances?.length ?? candidates.reduce((sum, { partition }) => sum + partition.rows, 0);
    const first = distances?.[start] ?? Number.POSITIVE_INFINITY;
    const last = distances?.[Math.min(end, matched) - 1] ?? Number.NEGATIVE_INFINITY;
    // rows nearer than the page's first are not looked at again: only their number counts
    const nearer = distances ? countBelow(distances, first) : 0;
    const rows: Row[] = [];
    for (const [order, { partition, distances: meters }] of candidates.entries()) {
      await inTurn(() => {
        for (let row = 0; row < partition.rows; row++) {
          const distanceMeters = meters?.[row];
          if (distanceMeters === undefined) rows.push({ order, partition, row, id: partition.id(row) });
          else if (distanceMeters >= first && distanceMeters <= last) {
            rows.push({ order, partition, row, id: partition.id(row), distanceMeters });
          }
        }
      });
    }
    await inTurn(() => rows.sort(compareRows));
    const skip = isMeasured ? nearer : 0;
    return { rows: rows.slice(start - skip, end - skip), matched, executor: "scan", sql: [] };
  },
  forget() {},
};

/** Distances of all rows that match, in order; undefined when rows have none. */
function sortedDistances(candidates: readonly Candidates[]): Float64Array | undefined {
  if (candidates.some(({ distances }) => distances === undefined)) return undefined;
  return orderDistances(candidates.flatMap(({ distances }) => distances ?? []));
}

/** The distances that are not Infinity, in order. */
export function orderDistances(columns: readonly Float64Array[]): Float64Array {
  const matching = columns.map((column) => column.filter((meters) => meters !== Number.POSITIVE_INFINITY));
  const all = new Float64Array(matching.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const column of matching) {
    all.set(column, offset);
    offset += column.length;
  }
  return all.sort();
}

function compareRows(a: Row, b: Row): number {
  return (a.distanceMeters ?? 0) - (b.distanceMeters ?? 0) || compareIds(a.id, b.id) || a.order - b.order;
}
