import { expect, test } from "vitest";
import { formatBytes, formatCount } from "./figures.ts";

test("sizes have three digits", () => {
  const sizes = [0, 999, 1000, 9_994, 12_345, 999_499, 999_500, 4_200_000_000, 5e15];
  expect(sizes.map(formatBytes)).toEqual([
    "0 bytes",
    "999 bytes",
    "1.00 kB",
    "9.99 kB",
    "12.3 kB",
    "999 kB",
    "1.00 MB",
    "4.20 GB",
    "5000 TB",
  ]);
});

test("a count of one is singular", () => {
  expect([0, 1, 14_890].map((count) => formatCount(count, "row"))).toEqual(["0 rows", "1 row", "14,890 rows"]);
});
