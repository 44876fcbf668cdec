import { expect, test } from "vitest";
import { batchRanges, type RowRange } from "./summaries.ts";

/** Ranges of as many rows, one behind the other. */
function rangesOf(...rows: number[]): RowRange[] {
  let start = 0;
  return rows.map((count) => {
    const range = { start, end: start + count };
    start = range.end;
    return range;
  });
}

test("ranges that stand together are a batch, one that is longer is a batch of its own", () => {
  const batches = batchRanges(rangesOf(4, 6, 1, 30, 2, 2), 10);
  expect(batches.map((batch) => batch.map(({ index }) => index))).toEqual([[0, 1], [2], [3], [4, 5]]);
  expect(batchRanges([], 10)).toEqual([]);
});
