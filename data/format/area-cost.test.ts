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
/** Most comparisons for each vertex that make the index, once. */
const INDEX_COMPARISONS = 96;
/** Edges of a piece of the index. */
const PIECE = 16_384;
/** Most comparisons for each position in each piece of the index. */
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
    // the first tests make the index
    expect((first - second) / corners).toBeLessThan(INDEX_COMPARISONS);
    expect(second / POSITIONS).toBeLessThan(TEST_COMPARISONS * Math.min(6, Math.ceil(corners / PIECE)));

    work.comparisons = 0;
    const { prepare } = createAreaTest(area, work);
    let steps = 0;
    let before = 0;
    for (const _step of prepare()) {
      expect(work.comparisons - before).toBeLessThan(INDEX_COMPARISONS * PIECE);
      before = work.comparisons;
      steps++;
    }
    expect(steps).toBeGreaterThanOrEqual(Math.floor(corners / PIECE));
  }
});

test("after all steps, tests make no more of the index, also of an area of many polygons", () => {
  const square = (side: number): Position[] => [
    [-side, -side],
    [side, -side],
    [side, side],
    [-side, side],
    [-side, -side],
  ];
  const small = Array.from({ length: 20_000 }, (_, i) => [square(1 + i / 20_000)]);
  const large = [500, 20_000].map((corners) => [(SHAPES.star as (n: number) => Position[])(corners)]);
  const work = { comparisons: 0, most: Number.POSITIVE_INFINITY };
  const { prepare, contains } = createAreaTest({ type: "MultiPolygon", coordinates: [...small, ...large] }, work);
  for (const _step of prepare()) work.comparisons = 0;
  work.comparisons = 0;
  const askAll = () => {
    for (let i = 0; i < 20; i++) contains(9 * Math.sin(i), 9 * Math.cos(7 * i));
    const { comparisons } = work;
    work.comparisons = 0;
    return comparisons;
  };
  const first = askAll();
  expect(askAll()).toBe(first);
});

test("an area has the most corners, and one more is refused", () => {
  const starOf = (corners: number) => ({
    type: "Polygon",
    coordinates: [(SHAPES.star as (n: number) => Position[])(corners)],
  });
  expect(parseArea(starOf(MOST_CORNERS)).type).toBe("Polygon");
  expect(() => parseArea(starOf(MOST_CORNERS + 1))).toThrow("an area has at most 500000 corners, got 500001");
});
