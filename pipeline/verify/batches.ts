/**
 * What is verified together, so that memory does not grow with the dataset: rows of countries, and files in a query.
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

/** Of each file that a query reads it holds the footer until it ends, some 100 KB. */
const QUERY_FILES = 512;

/** The files in groups that one query reads, in order. */
export function batchFiles<File>(files: readonly File[], most: number = QUERY_FILES): File[][] {
  return Array.from({ length: Math.ceil(files.length / most) }, (_, batch) =>
    files.slice(batch * most, (batch + 1) * most),
  );
}
