import { expect, test } from "vitest";
import type { Position } from "../../../data/format/geometry.ts";
import { drawnAreaOf } from "./draw-area.ts";

const ring = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

test.each([
  [ring(7, 43, 8, 44), [7, 43, 8, 44]],
  [ring(8, 44, 7, 43), [7, 43, 8, 44]],
  [ring(170, -10, 190, 10), [170, -10, -170, 10]],
  [ring(-190, -10, -170, 10), [170, -10, -170, 10]],
  [ring(-300, -10, 100, 10), [-180, -10, 180, 10]],
])("a box is the bounds of the drawn ring", (drawn, bbox) => {
  expect(drawnAreaOf("box", drawn)).toEqual({ kind: "box", bbox });
});

test("a polygon keeps its corners, moved to the main copy of the world", () => {
  const drawn: Position[] = [
    [179, 0],
    [181, 0],
    [181, 1],
    [179, 0],
  ];
  expect(drawnAreaOf("polygon", drawn)).toEqual({
    kind: "polygon",
    ring: [
      [179, 0],
      [-179, 0],
      [-179, 1],
    ],
  });
});

test("a ring without an inside is not an area", () => {
  expect(drawnAreaOf("box", ring(7, 43, 7, 44))).toBeUndefined();
  expect(
    drawnAreaOf("polygon", [
      [1, 1],
      [2, 2],
      [1, 1],
    ]),
  ).toBeUndefined();
});
