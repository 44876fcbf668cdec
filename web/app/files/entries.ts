/**
 * Positions of file rows among records: each after all records at the same distance. Without distances they come
 * first.
 * @module
 */
import { firstIndex } from "../../../data/format/sorted.ts";
import type { JoinedRow, JoinQuestion } from "../../hosts/browser/protocol/index.ts";

/** A line of the list: a record, by its index on the page, or a row of a file. */
type Entry = { readonly kind: "record"; readonly index: number } | { readonly kind: "row"; readonly row: JoinedRow };

interface PageOfRecords {
  readonly page: number;
  /** The distance of the last record in metres; undefined without a location. */
  readonly last: number | undefined;
  readonly isLast: boolean;
  /** The distance of the last record of the previous page. */
  readonly previous: number | undefined;
}

/** Returns the range of distances for rows on this page, so that each row is on exactly one page. */
export function boundsOf({ page, last, isLast, previous }: PageOfRecords): Pick<JoinQuestion, "from" | "below"> {
  if (last === undefined) return page === 0 ? {} : { from: Number.POSITIVE_INFINITY };
  return { ...(previous === undefined ? {} : { from: previous }), ...(isLast ? {} : { below: last }) };
}

export interface Lines {
  readonly count: number;
  readonly entryAt: (line: number) => Entry | undefined;
  /** Returns the line of a record, by its index on the page. */
  readonly lineOf: (index: number) => number;
}

/** Distances are read on demand: a page may have 25,000 records, and usually no rows of files. */
interface RecordDistances {
  readonly count: number;
  readonly metersAt: (index: number) => number | undefined;
}

/** Returns the lines of a page. Records and rows must be sorted. */
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
