import { expect, test } from "vitest";
import { type BBox, bboxContains, bboxIntersects, bboxUnion } from "./bbox.ts";

test("a box that crosses the antimeridian contains both sides and not the middle", () => {
  const fiji: BBox = [177, -20, -178, -12];
  expect(bboxContains(fiji, 179, -17)).toBe(true);
  expect(bboxContains(fiji, -179, -17)).toBe(true);
  expect(bboxContains(fiji, 180, -17)).toBe(true);
  expect(bboxContains(fiji, 0, -17)).toBe(false);
  expect(bboxContains(fiji, 179, -21)).toBe(false);
});

test("boxes intersect if they share a position", () => {
  const lons = [-180, -178, -90, 0, 90, 178, 180];
  const boxes = lons.flatMap((west) => lons.map((east): BBox => [west, -1, east, 1]));
  const samples = Array.from({ length: 721 }, (_, i) => -180 + i / 2);
  for (const a of boxes) {
    for (const b of boxes) {
      const shared = samples.some((lon) => bboxContains(a, lon, 0) && bboxContains(b, lon, 0));
      expect(bboxIntersects(a, b), `${a} and ${b}`).toBe(shared);
    }
  }
  expect(bboxIntersects([0, 0, 1, 1], [0, 1.1, 1, 2])).toBe(false);
});

test("a union is the narrowest box around all boxes, over the antimeridian if that is shorter", () => {
  expect(
    bboxUnion([
      [179, -1, 179, 0],
      [-179, 0, -179, 1],
    ]),
  ).toEqual([179, -1, -179, 1]);
  expect(
    bboxUnion([
      [-10, 0, 10, 1],
      [20, 0, 30, 1],
    ]),
  ).toEqual([-10, 0, 30, 1]);
  expect(bboxUnion([[-180, 0, 180, 1]])).toEqual([-180, 0, 180, 1]);
  expect(bboxUnion([[177, 0, -178, 1]])).toEqual([177, 0, -178, 1]);
  expect(
    bboxUnion([
      [177, 0, -178, 1],
      [-170, 0, -160, 1],
    ]),
  ).toEqual([177, 0, -160, 1]);
  expect(() => bboxUnion([])).toThrow("no boxes");
});
