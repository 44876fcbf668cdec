import { expect, test } from "vitest";
import { estimateReach, type Supply } from "./plan-region.ts";

const BOX_METERS = 1000;
const BOX_ROWS = 1000;
/** Boxes to each side of the point. */
const SIDE = 8;

/** Boxes of equal size side by side, with equally many rows, and the point where four of them meet. */
const GRID: readonly Supply[] = Array.from({ length: (2 * SIDE) ** 2 }, (_, index) => {
  const [x, y] = [index % (2 * SIDE), Math.floor(index / (2 * SIDE))].map((at) => {
    return at < SIDE ? SIDE - 1 - at : at - SIDE;
  }) as [number, number];
  return {
    rows: BOX_ROWS,
    nearMeters: BOX_METERS * Math.hypot(x, y),
    farMeters: BOX_METERS * Math.hypot(x + 1, y + 1),
    squareMeters: BOX_METERS ** 2,
  };
});

test.each([500, 5000, 25_000, 100_000])("rows spread evenly are expected about as far as they lie: %i", (rows) => {
  const meters = Math.sqrt((rows * BOX_METERS ** 2) / (Math.PI * BOX_ROWS));
  const estimate = estimateReach(GRID, rows);
  expect(estimate).toBeGreaterThan(0.7 * meters);
  expect(estimate).toBeLessThan(1.2 * meters);
});

test("more rows than there are reach without end", () => {
  expect(estimateReach(GRID, GRID.length * BOX_ROWS)).toBe(Number.POSITIVE_INFINITY);
  expect(estimateReach([], 1)).toBe(Number.POSITIVE_INFINITY);
});
