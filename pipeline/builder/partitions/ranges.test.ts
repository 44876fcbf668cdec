import { expect, test } from "vitest";
import { batchRanges, type RowRange } from "./summaries.ts";

/** Consecutive ranges with these numbers of rows. */
function rangesOf(...rows: number[]): RowRange[] {
  let start = 0;
  return rows.map((count) => {
    const range = { start, end: start + count };
    start = range.end;
    return range;
  });
}

test("consecutive ranges are a batch, and a longer one is a batch of its own", () => {
  const batches = batchRanges(rangesOf(4, 6, 1, 30, 2, 2), 10);
  expect(batches.map((batch) => batch.map(({ index }) => index))).toEqual([[0, 1], [2], [3], [4, 5]]);
  expect(batchRanges([], 10)).toEqual([]);
});
