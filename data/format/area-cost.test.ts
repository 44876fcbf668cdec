/** The cost of areas up to the most corners that a search takes, counted in entries and comparisons. @module */
import { expect, test } from "vitest";
import { type Area, parseArea } from "./area.ts";
import { createAreaTest } from "./area-test.ts";
import { makeSlabs } from "./edge-slabs.ts";
import type { Position } from "./geometry.ts";

const MOST_CORNERS = 500_000;
const POSITIONS = 2000;
/** Most entries of the index for each vertex. */
const ENTRIES = 16;
/** Most comparisons for each vertex that sort the lists of the index, once. */
const SORT_COMPARISONS = 80;
/** Most comparisons for each position. */
const TEST_COMPARISONS = 128;

const closed = (corners: readonly Position[]): Position[] => [...corners, corners[0] as Position];
const polar = (radius: number, turns: number): Position => [
  radius * Math.cos(2 * Math.PI * turns),
  radius * Math.sin(2 * Math.PI * turns),
];

/** Rings of a number of corners, the closing one included, within 10 degrees of zero. */
const SHAPES: Readonly<Record<string, (corners: number) => Position[]>> = {
  zigzag: (corners) =>
    closed([
      ...Array.from({ length: corners - 3 }, (_, i): Position => [-9 + (18 * i) / corners, i % 2 === 0 ? -8 : 8]),
      [9, -9],
      [-9, -9],
    ]),
  comb: (corners) =>
    closed([
      ...Array.from(
        { length: corners - 3 },
        (_, i): Position => [-9 + (36 * Math.floor(i / 2)) / corners, i % 4 === 1 || i % 4 === 2 ? 8 : -8],
      ),
      [9, -9],
      [-9, -9],
    ]),
  spiral: (corners) => {
    const half = Math.floor((corners - 1) / 2);
    const arm = (length: number, inset: number) =>
      Array.from({ length }, (_, i) => polar(0.2 + (9 * i) / length - inset, (40 * i) / length));
    return closed([...arm(half, 0), ...arm(corners - 1 - half, 0.1).reverse()]);
  },
  star: (corners) =>
    closed(Array.from({ length: corners - 1 }, (_, i) => polar(i % 2 === 0 ? 9 : 1, i / (corners - 1)))),
};

test.each(Object.entries(SHAPES))("the work of a %s grows in proportion to its vertices", (_, shape) => {
  for (const corners of [1000, 10_000, MOST_CORNERS]) {
    const ring = shape(corners);
    expect(ring.length).toBe(corners);
    const edges = new Float64Array(4 * (corners - 1));
    for (let i = 1; i < corners; i++) edges.set([...(ring[i - 1] as Position), ...(ring[i] as Position)], 4 * (i - 1));
    const { items, bounds } = makeSlabs({ edges, start: 0, end: corners - 1 });
    expect((items.length + bounds.length) / corners).toBeLessThan(ENTRIES);

    const work = { comparisons: 0, most: Number.POSITIVE_INFINITY };
    const area: Area = { type: "Polygon", coordinates: [ring] };
    const { contains } = createAreaTest(area, work);
    const askAll = () => {
      for (let i = 0; i < POSITIONS; i++) contains(10 * Math.sin(i), 10 * Math.cos(7 * i));
      const { comparisons } = work;
      work.comparisons = 0;
      return comparisons;
    };
    const first = askAll();
    const second = askAll();
    // the first tests sort the lists of the index
    expect((first - second) / corners).toBeLessThan(SORT_COMPARISONS);
    expect(second / POSITIONS).toBeLessThan(TEST_COMPARISONS);
  }
});

test("an area has the most corners, and one more is refused", () => {
  const starOf = (corners: number) => ({
    type: "Polygon",
    coordinates: [(SHAPES.star as (n: number) => Position[])(corners)],
  });
  expect(parseArea(starOf(MOST_CORNERS)).type).toBe("Polygon");
  expect(() => parseArea(starOf(MOST_CORNERS + 1))).toThrow("an area has at most 500000 corners, got 500001");
});
