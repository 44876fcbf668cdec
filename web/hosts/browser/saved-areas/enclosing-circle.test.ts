import { describe, expect, test } from "vitest";
import type { BBox } from "../../../../data/format/bbox.ts";
import type { Position } from "../../../../data/format/geometry.ts";
import { metersTo, originAt, toRadians } from "../../../../data/format/sphere.ts";
import { enclosingCircle } from "./enclosing-circle.ts";

describe("the circle around a box", () => {
  test.each<[string, BBox]>([
    ["a street's", [7.42, 43.735, 7.4203, 43.7351]],
    ["a box over the antimeridian", [170, -20, -170, -10]],
    ["a box to the pole", [-60, 60, 60, 90]],
    ["a wide box, whose edge is no great circle", [-50, 40, 50, 50]],
  ])("%s covers everything, and is at most slightly larger than necessary", (_, box) => {
    const [west, south, right, north] = box;
    const east = right < west ? right + 360 : right;
    const ring: Position[] = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    const circle = enclosingCircle(box);
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

  test("is the globe when the box is larger than half of it", () => {
    expect(enclosingCircle([-180, -90, 180, 60]).radiusMeters).toBeGreaterThan(20_015_000);
  });
});
