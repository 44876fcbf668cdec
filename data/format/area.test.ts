import { describe, expect, test } from "vitest";
import { type Area, parseArea } from "./area.ts";
import { createAreaTest } from "./area-test.ts";
import type { Geometry, Position } from "./geometry.ts";
import { writeWkb } from "./write-wkb.ts";

type Corners = readonly [west: number, south: number, east: number, north: number];

const box = ([west, south, east, north]: Corners): Area => ({
  type: "Polygon",
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});
const intersectsOf = (corners: Corners) => {
  const { intersects } = createAreaTest(box(corners));
  return (geometry: Geometry) => intersects(writeWkb(geometry));
};

test("an area over the antimeridian intersects both sides, and nothing on the opposite side", () => {
  const intersects = intersectsOf([170, -20, 190, -10]);
  const point = (lon: number, lat = -15) => intersects({ type: "Point", coordinates: [lon, lat] });
  expect([-179, 179, 180, -180, 170, -170].map((lon) => point(lon))).toEqual(Array(6).fill(true));
  expect([169.9, -169.9, 0, 10].map((lon) => point(lon))).toEqual(Array(4).fill(false));
  expect(point(179, -9.9)).toBe(false);
  expect(
    intersects({
      type: "LineString",
      coordinates: [
        [-178, -30],
        [-178, 0],
      ],
    }),
  ).toBe(true);
});

describe("a polygon meets", () => {
  const intersects = intersectsOf([0, 0, 10, 10]);
  const square = (west: number, side: number): Position[] => [
    [west, west],
    [west + side, west],
    [west + side, west + side],
    [west, west + side],
    [west, west],
  ];

  test("a line that crosses it without a corner inside", () => {
    expect(
      intersects({
        type: "LineString",
        coordinates: [
          [-1, 5],
          [11, 6],
        ],
      }),
    ).toBe(true);
    expect(
      intersects({
        type: "LineString",
        coordinates: [
          [-1, 9.5],
          [1, 11.5],
        ],
      }),
    ).toBe(false);
  });

  test("a polygon around it, but not in a hole", () => {
    expect(intersects({ type: "Polygon", coordinates: [square(-5, 30)] })).toBe(true);
    expect(intersects({ type: "Polygon", coordinates: [square(-5, 30), square(-1, 12)] })).toBe(false);
    expect(intersects({ type: "Polygon", coordinates: [square(-5, 30), square(1, 12)] })).toBe(true);
  });

  test("a geometry that touches its edge", () => {
    expect(intersects({ type: "Point", coordinates: [10, 3] })).toBe(true);
    expect(
      intersects({
        type: "LineString",
        coordinates: [
          [10, 12],
          [10, 10],
        ],
      }),
    ).toBe(true);
    expect(
      intersects({
        type: "LineString",
        coordinates: [
          [-2, 10],
          [12, 10],
        ],
      }),
    ).toBe(true);
  });
});

describe("of boxes an area", () => {
  const { reaches, holds } = createAreaTest({ ...box([0, 0, 10, 10]) });
  test.each<[string, Corners, boolean, boolean]>([
    ["inside", [1, 1, 2, 2], true, true],
    ["across an edge", [9, 9, 11, 11], true, false],
    ["around it", [-5, -5, 15, 15], true, false],
    ["beside it", [11, 0, 12, 10], false, false],
    ["at a corner", [10, 10, 11, 11], true, false],
    ["over the antimeridian", [170, 0, -170, 5], false, false],
    ["over the antimeridian and all around to it", [11, 0, 1, 5], true, false],
  ])("%s", (_, corners, isReached, isHeld) => {
    expect([reaches(corners), holds(corners)]).toEqual([isReached, isHeld]);
  });

  test("a hole is outside", () => {
    const ring = (from: number, to: number): Position[] => [
      [from, from],
      [to, from],
      [to, to],
      [from, to],
      [from, from],
    ];
    const holed = createAreaTest({ type: "Polygon", coordinates: [ring(0, 10), ring(4, 6)] });
    expect([holed.contains(5, 5), holed.contains(1, 1), holed.contains(4, 5)]).toEqual([false, true, true]);
    expect([holed.reaches([4.5, 4.5, 5.5, 5.5]), holed.holds([1, 1, 9, 9])]).toEqual([false, false]);
  });
});

describe("an area from GeoJSON", () => {
  const square = box([0, 0, 1, 1]);
  test.each([square, { type: "Feature", properties: {}, geometry: square }])("accepts $type", (value) => {
    expect(parseArea(value)).toEqual(square);
  });

  test.each<[unknown, RegExp]>([
    [null, /expected an object, got null/],
    [{ type: "Point", coordinates: [0, 0] }, /Polygon, MultiPolygon, or Feature with one, got "Point"/],
    [{ type: "Polygon" }, /a polygon must be a list, got nothing/],
    [{ type: "Polygon", coordinates: [] }, /must contain a ring, got an empty list/],
    [
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [0, 0],
          ],
        ],
      },
      /at least 4 positions/,
    ],
    [
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      },
      /the last the same as the first/,
    ],
    [
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 91],
            [0, 0],
          ],
        ],
      },
      /got \[1,91\]/,
    ],
    [
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [1, "0"],
            [1, 1],
            [0, 0],
          ],
        ],
      },
      /got \[1,"0"\]/,
    ],
  ])("refuses %j and reports the value", (value, reason) => {
    expect(() => parseArea(value)).toThrow(reason);
  });
});
