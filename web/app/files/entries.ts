/**
 * Where rows of the user's files are among the records of the list: each after all records at the same distance. Without
 * distances, rows come first. @module
 */
import { firstIndex } from "../../../data/format/sorted.ts";
import type { JoinedRow, JoinQuestion } from "../../hosts/browser/protocol/index.ts";

/** A line of the list: a record, by its index on the page, or a row of a file. */
type Entry = { readonly kind: "record"; readonly index: number } | { readonly kind: "row"; readonly row: JoinedRow };

interface PageOfRecords {
  readonly page: number;
  /** Distance of the page's last record in metres; undefined if the search has no location. */
  readonly last: number | undefined;
  readonly isLast: boolean;
  /** Distance in metres of the last record of the previous page; undefined on the first page. */
  readonly previous: number | undefined;
}

/**
 * Returns the range of distances in metres of the rows on this page, so that each row is on exactly one page. Without distances,
 * all rows are on the first page.
 */
export function boundsOf({ page, last, isLast, previous }: PageOfRecords): Pick<JoinQuestion, "from" | "below"> {
  if (last === undefined) return page === 0 ? {} : { from: Number.POSITIVE_INFINITY };
  return { ...(previous === undefined ? {} : { from: previous }), ...(isLast ? {} : { below: last }) };
}

export interface Lines {
  readonly count: number;
  readonly entryAt: (line: number) => Entry | undefined;
  /** Returns the line, from 0, of a record by its index on the page. */
  readonly lineOf: (index: number) => number;
}

/**
 * Number of records and their distances in metres, read on demand: a page may have 25,000 records, and usually there are no
 * files.
 */
interface RecordDistances {
  readonly count: number;
  readonly metersAt: (index: number) => number | undefined;
}

/** Returns the lines of a page: records and rows together. Both must be sorted by distance. */
export function linesOf({ count, metersAt }: RecordDistances, rows: readonly JoinedRow[]): Lines {
  const lines = rows.map(({ distanceMeters = 0 }, index) => {
    const records = firstIndex(count, (record) => (metersAt(record) ?? Number.POSITIVE_INFINITY) > distanceMeters);
    return records + index;
  });
  return {
    count: count + rows.length,
    entryAt: (line) => {
      const before = firstIndex(lines.length, (row) => (lines[row] ?? 0) >= line);
      const row = lines[before] === line ? rows[before] : undefined;
      if (row) return { kind: "row", row };
      const index = line - before;
      return index >= 0 && index < count ? { kind: "record", index } : undefined;
    },
    lineOf: (index) => index + firstIndex(lines.length, (row) => (lines[row] ?? 0) - row > index),
  };
}
