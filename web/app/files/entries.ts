/** How rows of files stand among records: each after all records that are as near. Without distances they come first. @module */
import { firstIndex } from "../../../data/format/sorted.ts";
import type { JoinedRow, JoinQuestion } from "../../hosts/browser/protocol/index.ts";

/** A line of the list: a record, by its index on the page, or a row of a file. */
export type Entry =
  | { readonly kind: "record"; readonly index: number }
  | { readonly kind: "row"; readonly row: JoinedRow };

interface PageOfRecords {
  readonly page: number;
  /** The distance of the last record, metres; undefined where the search has no place. */
  readonly last: number | undefined;
  readonly isLast: boolean;
  /** The distance of the last record of the page before. */
  readonly previous: number | undefined;
}

/** The distances of the rows of this page, such that each row is on one page. */
export function boundsOf({ page, last, isLast, previous }: PageOfRecords): Pick<JoinQuestion, "from" | "below"> {
  if (last === undefined) return page === 0 ? {} : { from: Number.POSITIVE_INFINITY };
  return { ...(previous === undefined ? {} : { from: previous }), ...(isLast ? {} : { below: last }) };
}

export interface Lines {
  readonly count: number;
  readonly entryAt: (line: number) => Entry | undefined;
  /** The line of a record, by its index on the page. */
  readonly lineOf: (index: number) => number;
}

/** Of records whose distances are told when they are asked for: a page may have 25,000, and seldom has rows of files. */
interface RecordDistances {
  readonly count: number;
  readonly metersAt: (index: number) => number | undefined;
}

/** The lines of a page. Both records and rows are in order. */
export function linesOf({ count, metersAt }: RecordDistances, rows: readonly JoinedRow[]): Lines {
  // the line of each row
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
