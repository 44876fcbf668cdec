import { expect, test } from "vitest";
import { rowTarget } from "./row-target.ts";

test.each([
  [128, 2048],
  [100, 2560],
  [1, 8192],
  [30_000, 256],
])("rows of %d bytes: %d in a partition", (bytesPerRow, rows) => {
  expect(rowTarget(bytesPerRow)).toBe(rows);
});
