import type * as GeoJSON from "geojson";
import { expect, test } from "vitest";
import { polygonContains } from "../../data/format/representative-point.ts";
import { metersBetween } from "../../data/format/sphere.ts";
import { circleShapes, positionAt } from "./circle-shape.ts";

/** Whether the shape covers the position, in any of the map's copies of the world. */
function covers(shapes: GeoJSON.Feature[], lon: number, lat: number): boolean {
  const [inside] = shapes;
  if (inside?.geometry.type !== "Polygon") throw new Error("the first shape is the inside");
  const coordinates = inside.geometry.coordinates as [number, number][][];
  return [-360, 0, 360].some((turn) => polygonContains(coordinates, [lon + turn, lat]));
}

test.each([
  ["a town", { lon: 7.42, lat: 43.73 }, 1_000],
  ["the antimeridian", { lon: 179.5, lat: -17 }, 300_000],
  ["the north pole", { lon: 20, lat: 80 }, 2_000_000],
  ["the south pole", { lon: -150, lat: -75 }, 3_000_000],
  ["the north pole itself", { lon: 0, lat: 90 }, 3_000_000],
  ["the south pole itself", { lon: 30, lat: -90 }, 500_000],
  ["half the globe", { lon: 10, lat: 5 }, 9_900_000],
  ["all but the other side", { lon: 10, lat: 45 }, 16_000_000],
] as const)("a circle over %s covers exactly the positions within its radius", (_, centre, radiusMeters) => {
  const shapes = circleShapes(centre, radiusMeters);
  for (let bearing = 1; bearing < 360; bearing += 17) {
    for (const share of [0.2, 0.9, 0.98, 1.02, 1.1, 1.5]) {
      const meters = share * radiusMeters;
      if (meters > 19_000_000) continue;
      const [lon, lat] = positionAt(centre, meters, bearing);
      const wrapped = ((((lon + 180) % 360) + 360) % 360) - 180;
      expect(covers(shapes, wrapped, lat), `${wrapped} ${lat}, ${share} of the radius`).toBe(share < 1);
    }
  }
});

test("distances match the sphere", () => {
  expect(metersBetween({ lon: 0, lat: 0 }, { lon: 0, lat: 90 })).toBeCloseTo(10_007_557.2, 0);
  expect(metersBetween({ lon: 179.99, lat: 0 }, { lon: -179.99, lat: 0 })).toBeCloseTo(2223.9, 0);
});
