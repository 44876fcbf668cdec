import { expect, test } from "vitest";
import { randomFrom } from "../../web/engine/testing/random.ts";
import type { BBox } from "./bbox.ts";
import { areaOf, farthestInBBox, nearestInBBox } from "./bbox-distance.ts";
import { EARTH_RADIUS_METERS, metersTo, originAt, toRadians } from "./sphere.ts";

const random = randomFrom(7);
const BOXES: readonly BBox[] = [
  [-180, -90, 180, 90],
  [170, -10, -170, 10],
  [-180, 80, 180, 90],
  [10, 20, 10, 20],
  [0, -90, 1, -89],
  [-180, -5, -180, 5],
];

function anyBox(): BBox {
  const west = random.between(-180, 180);
  const south = random.between(-90, 90);
  const widthDeg = random.of([0, 0.01, 1, 30, 200, 359]);
  const east = west + random.between(0, widthDeg);
  const north = Math.min(90, south + random.between(0, random.of([0, 0.01, 1, 30, 120])));
  return [west, south, east > 180 ? east - 360 : east, north];
}

function grid([west, south, east, north]: BBox, steps: number): [number, number][] {
  const widthDeg = west <= east ? east - west : east + 360 - west;
  return Array.from({ length: (steps + 1) ** 2 }, (_, i) => [
    west + (widthDeg * (i % (steps + 1))) / steps,
    south + ((north - south) * Math.floor(i / (steps + 1))) / steps,
  ]);
}

test("every position of a box is between its nearest and farthest distance, and some are close to them", () => {
  for (let i = 0; i < 1500; i++) {
    const box = i % 5 === 0 ? random.of(BOXES) : anyBox();
    const lon = random.of([random.between(-180, 180), 180, -180, box[0], box[2], 0]);
    const lat = random.of([random.between(-90, 90), 90, -90, 0, box[1]]);
    const origin = originAt(lon, lat);
    const nearest = nearestInBBox(origin, box);
    const farthest = farthestInBBox(origin, box);
    const steps = 40;
    const distances = grid(box, steps).map(([x, y]) => metersTo(origin, x, y, Math.cos(toRadians(y))));
    const least = distances.reduce((a, b) => Math.min(a, b));
    const most = distances.reduce((a, b) => Math.max(a, b));
    const what = `${lon} ${lat} to ${box}`;
    expect(least, what).toBeGreaterThan(nearest - 1e-5);
    expect(most, what).toBeLessThan(farthest + 1e-5);
    // Maximum distance from the grid to any position of the box.
    const [west, south, east, north] = box;
    const widthDeg = west <= east ? east - west : east + 360 - west;
    const gapMeters = (111_200 * Math.hypot(widthDeg, north - south)) / steps + 1e-3;
    expect(least - nearest, what).toBeLessThan(gapMeters);
    expect(farthest - most, what).toBeLessThan(gapMeters);
  }
});

test("inside the box, and on the antimeridian as 180 or -180, the nearest distance is 0", () => {
  expect(nearestInBBox(originAt(180, 0), [170, -10, -170, 10])).toBe(0);
  expect(nearestInBBox(originAt(-180, 5), [170, -10, 180, 10])).toBeCloseTo(0, 6);
  expect(nearestInBBox(originAt(180, 5), [-180, -10, -170, 10])).toBeCloseTo(0, 6);
  expect(nearestInBBox(originAt(12, 90), [-40, 80, -30, 90])).toBeCloseTo(0, 6);
});

test("the area of a box is its share of the sphere", () => {
  const whole = 4 * Math.PI * EARTH_RADIUS_METERS ** 2;
  expect(areaOf([-180, -90, 180, 90]) / whole).toBeCloseTo(1, 12);
  expect(areaOf([170, 0, -170, 90]) / whole).toBeCloseTo(20 / 720, 12);
  expect(areaOf([5, 5, 5, 6])).toBe(0);
});
