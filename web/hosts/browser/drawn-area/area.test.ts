import { describe, expect, test } from "vitest";
import type { Position } from "../../../../data/format/geometry.ts";
import { metersTo, originAt, toRadians } from "../../../../data/format/sphere.ts";
import { type DrawnArea, formatDrawnArea, parseDrawnArea, ringOf } from "./area.ts";
import { enclosingCircle } from "./enclosing-circle.ts";

const BOX: DrawnArea = { kind: "box", bbox: [170, -20, -170, -10] };
const TRIANGLE: DrawnArea = {
  kind: "polygon",
  ring: [
    [7.41, 43.72],
    [7.44, 43.73],
    [7.42, 43.75],
  ],
};

describe("an area's text", () => {
  test.each([BOX, TRIANGLE])("holds the whole of it: $kind", (area) => {
    expect(parseDrawnArea(formatDrawnArea(area))).toEqual(area);
  });

  test.each(["", "1", "1,2", "1,2,3", "1,2,1,4", "1,4,2,3", "1,2,3,91", "1,2,3,4,181,0", "1,2,x,4", "1,,2,3"])(
    "%j is none",
    (text) => expect(parseDrawnArea(text)).toBeUndefined(),
  );
});

describe("a ring over the antimeridian", () => {
  test("stays whole", () => {
    expect(ringOf(BOX).map(([lon]) => lon)).toEqual([170, 190, 190, 170, 170]);
    const polygon: DrawnArea = {
      kind: "polygon",
      ring: [
        [-179, 0],
        [179, 0],
        [179, 1],
      ],
    };
    expect(ringOf(polygon)).toEqual([
      [-179, 0],
      [-181, 0],
      [-181, 1],
      [-179, 0],
    ]);
  });
});

describe("the circle around an area", () => {
  test.each<[string, DrawnArea]>([
    ["a street's", { kind: "box", bbox: [7.42, 43.735, 7.4203, 43.7351] }],
    ["a triangle", TRIANGLE],
    ["a box over the antimeridian", BOX],
    ["a box to the pole", { kind: "box", bbox: [-60, 60, 60, 90] }],
    ["a wide box, whose edge is no great circle", { kind: "box", bbox: [-50, 40, 50, 50] }],
  ])("%s leaves out nothing, and is hardly larger than it must be", (_, area) => {
    const ring = ringOf(area);
    const circle = enclosingCircle(ring);
    const origin = originAt(circle.lon, circle.lat);
    let farthest = 0;
    for (let i = 1; i < ring.length; i++) {
      const [[x1, y1], [x2, y2]] = [ring[i - 1] as Position, ring[i] as Position];
      for (let share = 0; share <= 1; share += 0.0013) {
        const lat = y1 + share * (y2 - y1);
        farthest = Math.max(farthest, metersTo(origin, x1 + share * (x2 - x1), lat, Math.cos(toRadians(lat))));
      }
    }
    expect(circle.radiusMeters).toBeGreaterThan(farthest);
    expect(circle.radiusMeters).toBeLessThan(farthest * 1.05 + 2);
  });

  test("is the globe when the area is larger than half of it", () => {
    expect(enclosingCircle(ringOf({ kind: "box", bbox: [-180, -90, 180, 60] })).radiusMeters).toBeGreaterThan(
      20_015_000,
    );
  });
});
