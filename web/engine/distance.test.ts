import { Geodesic } from "geographiclib-geodesic";
import { expect, test } from "vitest";
import { createDistanceMeter } from "../../data/format/distance.ts";
import type { Geometry, Position } from "../../data/format/geometry.ts";
import { EARTH_RADIUS_METERS, HALF_CIRCUMFERENCE_METERS, originAt } from "../../data/format/sphere.ts";
import { writeWkb } from "../../data/format/write-wkb.ts";
import { randomFrom } from "./testing/random.ts";

const SPHERE = new Geodesic.Geodesic(EARTH_RADIUS_METERS, 0);
const TOLERANCE_METERS = 1e-4;

function geodesic([lon1, lat1]: Position, [lon2, lat2]: Position): number {
  return SPHERE.Inverse(lat1, lon1, lat2, lon2, Geodesic.DISTANCE).s12 ?? Number.NaN;
}

function distance([lon, lat]: Position, geometry: Geometry): number {
  return createDistanceMeter(originAt(lon, lat))(writeWkb(geometry));
}

/** The minimum distance to sampled points along the edge, refined around each local minimum. */
function nearestByTrying(from: Position, a: Position, b: Position): number {
  const metersAt = (t: number) => geodesic(from, [a[0] + t * (b[0] - a[0]), clampLat(a[1] + t * (b[1] - a[1]))]);
  const steps = 1000;
  const tried = Array.from({ length: steps + 1 }, (_, i) => metersAt(i / steps));
  let best = Number.POSITIVE_INFINITY;
  for (const [i, meters] of tried.entries()) {
    if (meters > (tried[i - 1] ?? meters) || meters > (tried[i + 1] ?? meters)) continue;
    let [low, high] = [Math.max(0, i - 1) / steps, Math.min(steps, i + 1) / steps];
    for (let round = 0; round < 60; round++) {
      const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
      if (metersAt(left) < metersAt(right)) high = right;
      else low = left;
    }
    best = Math.min(best, meters, metersAt(low));
  }
  return best;
}

const random = randomFrom(20261121);
const anywhere = (): Position => [random.between(-180, 180), (Math.asin(random.between(-1, 1)) * 180) / Math.PI];
const SPECIAL: readonly Position[] = [
  [0, 90],
  [0, -90],
  [77, 90],
  [180, 0],
  [-180, 0],
  [180, 89.9999],
  [-180, -45],
  [0, 0],
  [179.9999999, 1e-9],
];

test("the distance to a point is the geodesic on the sphere: near, far, at poles and antipodes", () => {
  for (let i = 0; i < 3000; i++) {
    const from = i % 3 === 0 ? random.of(SPECIAL) : anywhere();
    const near: Position = [from[0] + random.spread(1e-3), Math.max(-90, Math.min(90, from[1] + random.spread(1e-3)))];
    const opposite: Position = [from[0] + 180 + random.spread(1e-6), -near[1]];
    const to = random.of([near, opposite, anywhere(), random.of(SPECIAL)]);
    expect(distance(from, { type: "Point", coordinates: to })).toBeCloseTo(geodesic(from, to), 6);
  }
});

test("-180 and 180 degrees are one meridian, and a pole is one point", () => {
  expect(distance([180, 10], { type: "Point", coordinates: [-180, 10] })).toBeCloseTo(0, 8);
  expect(distance([30, 90], { type: "Point", coordinates: [-100, 90] })).toBeCloseTo(0, 8);
  const east: Geometry = {
    type: "Polygon",
    coordinates: [
      [
        [-180, 0],
        [-179, 0],
        [-179, 2],
        [-180, 2],
        [-180, 0],
      ],
    ],
  };
  expect(distance([180, 1], east)).toBe(0);
  expect(distance([179.999, 1], east)).toBeCloseTo(geodesic([179.999, 1], [-180, 1]), 4);
  expect(
    distance([0, -90], {
      type: "Polygon",
      coordinates: [
        [
          [-180, -90],
          [180, -90],
          [180, -80],
          [-180, -80],
          [-180, -90],
        ],
      ],
    }),
  ).toBe(0);
});

test("the distance to an edge is the minimum along a line straight in degrees", () => {
  for (let i = 0; i < 400; i++) {
    const from = i % 4 === 0 ? random.of(SPECIAL) : anywhere();
    const a: Position =
      i % 2 === 0 ? anywhere() : [clampLon(from[0] + random.spread(2)), clampLat(from[1] + random.spread(2))];
    const sizeDeg = random.of([1e-4, 1e-2, 0.3, 5, 90, 400]);
    const b: Position = [clampLon(a[0] + random.spread(sizeDeg)), clampLat(a[1] + random.spread(sizeDeg))];
    const expected = nearestByTrying(from, a, b);
    const got = distance(from, { type: "LineString", coordinates: [a, b] });
    // sampling only approaches from above
    expect(got, `${from} to ${a} ${b}`).toBeLessThan(expected + TOLERANCE_METERS);
    expect(got, `${from} to ${a} ${b}`).toBeGreaterThan(expected - 10 * TOLERANCE_METERS);
  }
});

test("an edge along a parallel is nearest on the parallel, not on the great circle", () => {
  const line: Geometry = {
    type: "LineString",
    coordinates: [
      [-60, 60],
      [60, 60],
    ],
  };
  expect(distance([0, 60.5], line)).toBeCloseTo((0.5 * HALF_CIRCUMFERENCE_METERS) / 180, 4);
  expect(distance([0, 90], line)).toBeCloseTo((30 * HALF_CIRCUMFERENCE_METERS) / 180, 4);
});

test("an edge from 179 to -179 passes through longitude 0", () => {
  const line: Geometry = {
    type: "LineString",
    coordinates: [
      [179, 0],
      [-179, 0],
    ],
  };
  expect(distance([0, 0], line)).toBeCloseTo(0, 4);
  expect(distance([180, 0], line)).toBeCloseTo(HALF_CIRCUMFERENCE_METERS / 180, 4);
});

const square = (west: number, south: number, size: number): Position[] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];

test("the distance inside a polygon is 0, and in a hole that to its edge", () => {
  const holed: Geometry = { type: "Polygon", coordinates: [square(0, 0, 10), square(4, 4, 2).reverse()] };
  expect(distance([1, 1], holed)).toBe(0);
  expect(distance([5, 5], holed)).toBeCloseTo(nearestByTrying([5, 5], [4, 4], [4, 6]), 3);
  expect(distance([10, 5], holed)).toBeCloseTo(0, 6);
  expect(distance([4, 5], holed)).toBeCloseTo(0, 6);
  expect(distance([11, 5], holed)).toBeGreaterThan(1e5);
});

test("overlapping polygons do not cancel each other", () => {
  const overlapping: Geometry = { type: "MultiPolygon", coordinates: [[square(0, 0, 10)], [square(2, 2, 10)]] };
  expect(distance([5, 5], overlapping)).toBe(0);
});

test("the nearest of several members counts", () => {
  const point: Geometry = { type: "Point", coordinates: [20, 20] };
  const members: Geometry = {
    type: "GeometryCollection",
    geometries: [{ type: "Polygon", coordinates: [square(0, 0, 1)] }, point],
  };
  expect(distance([20, 20], members)).toBe(0);
  expect(distance([0.5, 0.5], members)).toBe(0);
  expect(
    distance([20, 20], {
      type: "MultiPoint",
      coordinates: [
        [0, 0],
        [20, 21],
      ],
    }),
  ).toBeCloseTo(geodesic([20, 20], [20, 21]), 6);
  expect(
    distance([0, 0], {
      type: "MultiLineString",
      coordinates: [
        [
          [5, -1],
          [5, 1],
        ],
        [
          [1, -1],
          [1, 1],
        ],
      ],
    }),
  ).toBeCloseTo(geodesic([0, 0], [1, 0]), 4);
  expect(distance([0, 0], { type: "GeometryCollection", geometries: [] })).toBe(Number.POSITIVE_INFINITY);
});

test("WKB of either byte order is read, and damaged WKB is an error", () => {
  const line: Geometry = {
    type: "LineString",
    coordinates: [
      [1, -1],
      [1, 1],
    ],
  };
  const metersOf = createDistanceMeter(originAt(0, 0));
  expect(metersOf(writeWkb(line, false))).toBe(metersOf(writeWkb(line, true)));
  expect(() => metersOf(writeWkb(line).subarray(0, 30))).toThrow(/cut short/);
});

function clampLon(lon: number): number {
  return Math.max(-180, Math.min(180, lon));
}

function clampLat(lat: number): number {
  return Math.max(-90, Math.min(90, lat));
}
