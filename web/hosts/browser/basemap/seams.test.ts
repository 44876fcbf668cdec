import { expect, test } from "vitest";
import type { BBox } from "../../../../data/format/bbox.ts";
import type { Position } from "../../../../data/format/geometry.ts";
import { coarseLandIn } from "./coarse-land.ts";
import { type Coast, kindAt, type Line, landAndSea } from "./coast.ts";
import { seamsOf } from "./seams.ts";
import type { World } from "./world.ts";

/** Land north of a west-east coast at this latitude, in steps of 0.01 degrees. */
const northOf = (lat: number): World => ({
  scale: 100,
  towns: [],
  lakes: [],
  rivers: [],
  countries: [
    {
      name: "",
      names: {},
      label: [0, 0],
      size: 1,
      polygons: [[[-1000, 100 * lat, 500, 0, 500, 0, 500, 0, 500, 0, 0, 2000, -2000, 0, 0, -2000]]],
    },
  ],
});

/** Land is on its left. */
const eastward = (lat: number): Line => [
  [-3, lat],
  [3, lat],
];
const EXTENT: BBox = [-1, -1, 1, 1];

test.each([
  { name: "south", fine: -0.5, coarse: 0.5 },
  { name: "north", fine: 0.5, coarse: -0.5 },
])("a detailed coast $name of the coarse one connects to it without an edge at the box", ({ fine, coarse }) => {
  const coast: Coast = { chains: [eastward(fine)], extent: EXTENT };
  const land = coarseLandIn(northOf(coarse), [-5, -5, 5, 5]);
  const inside = landAndSea(coast, EXTENT);
  const seams = seamsOf(coast, land, 2);
  expect(seams).toHaveLength(2);
  const shown = (position: Position) => kindAt(seams, position) ?? (land.contains(position) ? "land" : "sea");
  for (const x of [-1, 1]) {
    for (let y = -0.95; y < 1; y += 0.1) {
      if (Math.abs(y - fine) < 0.05) continue;
      expect(shown([x * 1.02, y]), `beyond ${x}, ${y}`).toBe(kindAt(inside, [x * 0.98, y]));
    }
    // a degree away the coarse coast is unchanged
    expect(shown([x * 2.5, (fine + coarse) / 2])).toBe(land.contains([x * 2.5, 0]) ? "land" : "sea");
  }
});

test("nothing is added where both coasts agree, or where the coast decides everywhere", () => {
  const land = coarseLandIn(northOf(0.25), [-5, -5, 5, 5]);
  expect(seamsOf({ chains: [eastward(0.25)], extent: EXTENT }, land, 2)).toEqual([]);
  expect(seamsOf({ chains: [eastward(-0.5)] }, land, 2)).toEqual([]);
});

test("without a coarse coast nearby a separate shape covers the edge", () => {
  const coast: Coast = { chains: [eastward(0)], extent: EXTENT };
  const seams = seamsOf(coast, coarseLandIn({ scale: 1, countries: [], towns: [], lakes: [], rivers: [] }, EXTENT), 1);
  expect(seams.map(({ kind }) => kind)).toEqual(["land"]);
  expect(kindAt(seams, [0, 1.2])).toBe("land");
});
