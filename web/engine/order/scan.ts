/**
 * The executor that needs nothing but the distances: a loop.
 * @module
 */
import { countBelow } from "../plan/ranks.ts";
import { inTurn } from "../tasks/in-turn.ts";
import type { Executor, MeasuredRow } from "./executor.ts";

/** Orders rows in TypeScript. */
export const scan: Executor = {
  name: "scan",
  async order({ lists, sorted }, { start, end }) {
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
    return { rows, start: countBelow(sorted, first), sql: [] };
  },
};

/** The distances that are not Infinity, in order. */
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
