/** Many short ranges of a long table. @module */

/** By `rowid`, the end exclusive. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

export const BATCH_ROWS = 16 * 1024;

export interface Placed<Range> {
  readonly range: Range;
  readonly index: number;
}

/** Neighbouring ranges that weigh at most `most` together, or one range. A range weighs its rows by default. */
export function batchRanges<Range extends RowRange>(
  ranges: readonly Range[],
  most: number,
  weigh: (range: Range) => number = ({ start, end }) => end - start,
): Placed<Range>[][] {
  const batches: Placed<Range>[][] = [];
  let weight = 0;
  for (const [index, range] of ranges.entries()) {
    const batch = batches.at(-1);
    weight += weigh(range);
    if (batch && weight <= most) {
      batch.push({ range, index });
      continue;
    }
    batches.push([{ range, index }]);
    weight = weigh(range);
  }
  return batches;
}
