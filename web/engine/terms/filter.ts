/**
 * Which rows of a partition meet the filters of a query. Like distances, this is worked out once for both executors:
 * names are folded by one function, which no database has.
 * @module
 */
import { bboxIntersects } from "../../../data/format/bbox.ts";
import { splitTerm } from "../../../data/format/terms.ts";
import type { Filters } from "../contract/query.ts";
import type { Partition } from "../store/partition.ts";
import { visitRowsWith } from "../store/partition-terms.ts";
import { storedColumn } from "../store/stored-columns.ts";

/** A flag for each row: 1 where it meets all filters. */
export function matchRows(partition: Partition, { terms = [], atLeast = {}, bbox }: Filters): Uint8Array {
  const matches = new Uint8Array(partition.rows).fill(1);
  const keep = (isKept: (row: number) => boolean): void => {
    for (let row = 0; row < matches.length; row++) if (matches[row] === 1 && !isKept(row)) matches[row] = 0;
  };
  for (const anyOf of terms) {
    const found = new Uint8Array(partition.rows);
    for (const term of anyOf) {
      const { facet, value } = splitTerm(term);
      visitRowsWith(partition, facet, value, (row) => {
        found[row] = 1;
      });
    }
    keep((row) => found[row] === 1);
  }
  for (const [column, least] of Object.entries(atLeast)) {
    const read = storedColumn(partition, column)?.read;
    keep((row) => {
      const value = read?.(row);
      return typeof value === "number" && value >= least;
    });
  }
  if (bbox) {
    const { west, south, east, north } = partition.boxes;
    keep((row) => bboxIntersects(bbox, [west[row] ?? 0, south[row] ?? 0, east[row] ?? 0, north[row] ?? 0]));
  }
  return matches;
}
