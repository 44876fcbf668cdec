import { expect, test } from "vitest";
import type { BBox } from "../../../../data/format/bbox.ts";
import { kindAt } from "./coast.ts";
import { groundOfRows } from "./row-ground.ts";

const TILE: BBox = [0, 0, 64, 64];

test("there is land along a road over water, and only there", () => {
  const road = {
    type: "LineString",
    coordinates: [
      [10.5, 5.2],
      [10.5, 40.1],
      [300, 40.1],
    ],
  } as const;
  const ground = groundOfRows(
    [{ ...road, coordinates: road.coordinates.map((position) => [...position]) }],
    TILE,
    () => true,
  );
  for (const y of [6, 17.3, 33.9]) expect(kindAt(ground, [10.5, y])).toBe("land");
  for (const x of [20, 45.5, 63.9]) expect(kindAt(ground, [x, 40.1])).toBe("land");
  expect(kindAt(ground, [13.5, 20])).toBeUndefined();
  expect(kindAt(ground, [30, 44])).toBeUndefined();
  // rows of cells are joined
  expect(ground.length).toBeLessThan(64);
});

test("rows that are already on land add no land", () => {
  const square = [
    [2, 2],
    [6, 2],
    [6, 6],
    [2, 2],
  ];
  expect(groundOfRows([{ type: "Polygon", coordinates: [square] }], TILE, () => false)).toEqual([]);
  const half = groundOfRows([{ type: "Polygon", coordinates: [square] }], TILE, ([x]) => x > 4.5);
  expect(half.length).toBeGreaterThan(0);
  // a cell and a half around the middle of the first cell
  expect(Math.min(...half.flatMap(({ ring }) => ring.map(([x]) => x)))).toBeCloseTo(3);
});
