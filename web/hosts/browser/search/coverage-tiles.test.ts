import { expect, test } from "vitest";
import { type BBox, bboxContains, splitAtAntimeridian } from "../../../../data/format/bbox.ts";
import { tileBBox } from "../../../../data/format/tile-id.ts";
import { randomFrom } from "../../../engine/testing/random.ts";
import { coverageTile, coveredPoints, tellingBoxes } from "./coverage-tiles.ts";

const MONACO: BBox = [7.4094, 43.7247, 7.4397, 43.7519];
const WORLD = { z: 0, x: 0, y: 0 };

test("a small box is a point in its middle, at any zoom, in its tile", () => {
  const middle = [(MONACO[0] + MONACO[2]) / 2, (MONACO[1] + MONACO[3]) / 2];
  for (const tile of [WORLD, { z: 2, x: 2, y: 1 }, { z: 4, x: 8, y: 5 }]) {
    const points = coveredPoints([{ bbox: MONACO }], tile);
    expect(points).toHaveLength(1);
    expect(points[0]?.[0]).toBeCloseTo(middle[0] ?? 0, 9);
    expect(points[0]?.[1]).toBeCloseTo(middle[1] ?? 0, 9);
  }
  expect(coveredPoints([{ bbox: MONACO }], { z: 2, x: 0, y: 1 })).toEqual([]);
});

test("a square has a point exactly where a box overlaps it, also across the antimeridian", () => {
  const random = randomFrom(5);
  const boxes = Array.from({ length: 30 }, () => {
    const [west, south] = [random.spread(180), random.spread(80)];
    const east = west + 8 * Math.abs(random.spread(1));
    return { bbox: [west, south, east > 180 ? east - 360 : east, south + 3] as BBox };
  });
  expect(boxes.some(({ bbox }) => bbox[0] > bbox[2])).toBe(true);
  const points = coveredPoints(boxes, WORLD);
  const parts = boxes.flatMap(({ bbox }) => splitAtAntimeridian(bbox));
  for (let y = 0; y < 32; y++) {
    for (let x = 0; x < 32; x++) {
      const square = tileBBox({ z: 5, x, y });
      const isReached = parts.some(
        ([west, south, east, north]) =>
          west < square[2] && east >= square[0] && south < square[3] && north >= square[1],
      );
      const own = points.filter(([lon = 0, lat = 0]) => bboxContains(square, lon, lat));
      expect(own.length, `${x} ${y}`).toBe(isReached ? 1 : 0);
    }
  }
});

test("boxes as wide as countries are ignored, and if most rows are in such boxes there are no points", () => {
  const town = { bbox: MONACO, rows: 95 };
  const wide = { bbox: [-180, -90, 180, 90] as BBox, rows: 5 };
  const islands = { bbox: [172, -20, -170, -10] as BBox, rows: 5 };
  expect(tellingBoxes([town, wide])).toEqual([town]);
  expect(tellingBoxes([town, islands])).toEqual([town]);
  expect(tellingBoxes([town, { ...wide, rows: 20 }])).toEqual([]);
  const isEmpty = (boxes: Parameters<typeof coverageTile>[0]) => coverageTile(boxes, WORLD).byteLength === 0;
  expect([isEmpty([]), isEmpty([town]), isEmpty([wide])]).toEqual([true, false, true]);
});
