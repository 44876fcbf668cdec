/**
 * Countries whose rows are verified together, so that memory does not grow with the dataset.
 * @module
 */
import type { RunName } from "../../data/format/manifest.ts";
import type { ReadIndex } from "./read-index.ts";

/** Rows of a collection that are looked at together, unless one country has more. */
const BATCH_ROWS = 250_000;

/** The countries of the partitions, in groups of so many rows; a country with more is alone. */
export function batchCountries(
  indexes: ReadonlyMap<RunName | "term", Pick<ReadIndex, "partitions">>,
  mostRows: number = BATCH_ROWS,
): ReadonlySet<string>[] {
  const rows = new Map<string, number>();
  for (const [run, { partitions }] of indexes) {
    for (const { node } of partitions) {
      // each row stands once in the id run
      rows.set(node.country, (rows.get(node.country) ?? 0) + (run === "id" ? node.rows : 0));
    }
  }
  const batches: Set<string>[] = [];
  let room = 0;
  for (const [country, count] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const batch = batches.at(-1);
    if (batch && count <= room) {
      batch.add(country);
      room -= count;
    } else {
      batches.push(new Set([country]));
      room = mostRows - count;
    }
  }
  return batches;
}
