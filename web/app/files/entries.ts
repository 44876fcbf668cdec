/** How rows of files stand among records: each after all records that are as near. Without distances they come first. @module */
import type { JoinedRow, JoinQuestion } from "../../hosts/browser/protocol/index.ts";

/** A line of the list: a record, by its index on the page, or a row of a file. */
export type Entry =
  | { readonly kind: "record"; readonly index: number }
  | { readonly kind: "row"; readonly row: JoinedRow };

interface PageOfRecords {
  readonly page: number;
  /** Of the records, metres; undefined where the search has no place. */
  readonly distances: readonly (number | undefined)[];
  readonly isLast: boolean;
  /** The distance of the last record of the page before. */
  readonly previous: number | undefined;
}

/** The distances of the rows of this page, such that each row is on one page. */
export function boundsOf({ page, distances, isLast, previous }: PageOfRecords): Pick<JoinQuestion, "from" | "below"> {
  const last = distances.at(-1);
  if (last === undefined) return page === 0 ? {} : { from: Number.POSITIVE_INFINITY };
  return { ...(previous === undefined ? {} : { from: previous }), ...(isLast ? {} : { below: last }) };
}

/** The lines of a page. Both are in order. */
export function entriesOf(distances: readonly (number | undefined)[], rows: readonly JoinedRow[]): readonly Entry[] {
  const entries: Entry[] = [];
  let next = 0;
  const putBelow = (meters: number) => {
    for (let row = rows[next]; row && (row.distanceMeters ?? 0) < meters; row = rows[++next])
      entries.push({ kind: "row", row });
  };
  for (const [index, distance] of distances.entries()) {
    putBelow(distance ?? Number.POSITIVE_INFINITY);
    entries.push({ kind: "record", index });
  }
  putBelow(Number.POSITIVE_INFINITY);
  return entries;
}
