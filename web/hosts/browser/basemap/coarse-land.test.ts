import { expect, test } from "vitest";
import type { BBox } from "../../../../data/format/bbox.ts";
import type { Position } from "../../../../data/format/geometry.ts";
import { polygonContains } from "../../../../data/format/representative-point.ts";
import { randomFrom } from "../../../engine/testing/random.ts";
import { coarseLandIn } from "./coarse-land.ts";
import { type World, worldPolygons } from "./world.ts";

const country = (...polygons: number[][]) => ({
  name: "",
  names: {},
  label: [0, 0] as const,
  size: 1,
  polygons: polygons.map((ring) => [ring]),
});

/** Two squares with a common border, an island, and distant land. Each ring is a first position, then steps. */
const WORLD: World = {
  scale: 100,
  towns: [],
  lakes: [],
  rivers: [],
  countries: [
    country([0, 0, 100, 0, 0, 100, -100, 0, 0, -100], [150, 20, 20, 0, 0, 20, -20, -20]),
    country([-100, 0, 100, 0, 0, 100, -100, 0, 0, -100]),
    country([9000, 0, 100, 0, 0, 100, -100, 0, 0, -100]),
  ],
};
const BOX: BBox = [-0.5, -0.5, 2, 0.8];

test("the land in a box matches the complete polygons", () => {
  const land = coarseLandIn(WORLD, BOX);
  const random = randomFrom(7);
  for (let i = 0; i < 500; i++) {
    const position: Position = [random.between(-0.5, 2), random.between(-0.5, 0.8)];
    const expected = worldPolygons(WORLD).some((rings) => polygonContains(rings, position));
    expect(land.contains(position), String(position)).toBe(expected);
  }
});

test("the coast leaves out borders between countries and edges outside the box", () => {
  const { coast } = coarseLandIn(WORLD, BOX);
  const isBorder = coast.some(([[x1], [x2]]) => x1 === 0 && x2 === 0);
  expect(isBorder).toBe(false);
  // the south edges of both squares, the east edge of the first, three edges of the island
  expect(coast).toHaveLength(6);
});
