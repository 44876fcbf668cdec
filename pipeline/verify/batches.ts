/** Splits the work, so that memory does not grow with the dataset. @module */
import type { RunName } from "../../data/format/manifest.ts";
import type { ReadIndex } from "./read-index.ts";

const BATCH_ROWS = 250_000;

/** Countries in groups of about `mostRows` rows; a larger country is alone. */
export function batchCountries(
  indexes: ReadonlyMap<RunName | "term", Pick<ReadIndex, "partitions">>,
  mostRows: number = BATCH_ROWS,
): ReadonlySet<string>[] {
  const rows = new Map<string, number>();
  for (const [run, { partitions }] of indexes) {
    for (const { node } of partitions) {
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

/** DuckDB keeps the footers of a query's files, some 100 KB each. */
const QUERY_FILES = 512;

export function batchFiles<File>(files: readonly File[], most: number = QUERY_FILES): File[][] {
  return Array.from({ length: Math.ceil(files.length / most) }, (_, batch) =>
    files.slice(batch * most, (batch + 1) * most),
  );
}
