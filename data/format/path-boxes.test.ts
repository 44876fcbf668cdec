import { expect, test } from "vitest";
import { bboxUnion } from "./bbox.ts";
import type { Position } from "./geometry.ts";
import { boxesOfPaths } from "./path-boxes.ts";
import { writeWkb } from "./write-wkb.ts";

const square = (lon: number, lat: number, size: number): Position[] => [
  [lon, lat],
  [lon + size, lat],
  [lon + size, lat + size],
  [lon, lat + size],
  [lon, lat],
];

test("each island has its own box, a hole has none", () => {
  const islands = [[square(170, -20, 10), square(172, -18, 2)], [square(-180, -19, 5)]];
  const boxes = boxesOfPaths(writeWkb({ type: "MultiPolygon", coordinates: islands }));
  expect(boxes).toEqual([
    [170, -20, 180, -10],
    [-180, -19, -175, -14],
  ]);
  expect(bboxUnion(boxes)).toEqual([170, -20, -175, -10]);
});

test("points and lines have boxes, and an empty geometry has none", () => {
  const coordinates: Position[][] = [
    [
      [3, 1],
      [1, 2],
    ],
    [
      [-5, 0],
      [-4, 0],
    ],
  ];
  expect(boxesOfPaths(writeWkb({ type: "MultiLineString", coordinates }))).toEqual([
    [1, 1, 3, 2],
    [-5, 0, -4, 0],
  ]);
  expect(boxesOfPaths(writeWkb({ type: "Point", coordinates: [7, 8] }))).toEqual([[7, 8, 7, 8]]);
  expect(boxesOfPaths(writeWkb({ type: "MultiPolygon", coordinates: [] }))).toEqual([]);
});
