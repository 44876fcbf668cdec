import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { expect, test } from "vitest";
import { type BBox, bboxContains, splitAtAntimeridian } from "../../../../data/format/bbox.ts";
import { tileAt, tileBBox } from "../../../../data/format/tile-id.ts";
import { randomFrom } from "../../../engine/testing/random.ts";
import { coverageTile, coveredPoints, isCovered, narrowBoxes } from "./coverage-tiles.ts";

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
  expect(narrowBoxes([town, wide])).toEqual([town]);
  expect(narrowBoxes([town, islands])).toEqual([town]);
  expect(narrowBoxes([town, { ...wide, rows: 20 }])).toEqual([]);
  const isEmpty = (boxes: Parameters<typeof coverageTile>[0]) => coverageTile(boxes, WORLD).byteLength === 0;
  expect([isEmpty([]), isEmpty([town]), isEmpty([wide])]).toEqual([true, false, true]);
});

test("around an extract a veil starts softly, and none is in it; a dataset of the world has none", () => {
  const tile = tileAt({ lon: 7.42, lat: 43.74 }, 9);
  const shapesOf = (boxes: Parameters<typeof coverageTile>[0]) => {
    const { layers } = new VectorTile(new PbfReader(new Uint8Array(coverageTile(boxes, tile))));
    return (name: string) =>
      Array.from({ length: layers[name]?.length ?? 0 }, (_, i) => {
        const { properties, geometry } = layers[name]?.feature(i).toGeoJSON(tile.x, tile.y, tile.z) ?? {};
        const ring = geometry?.type === "Polygon" ? (geometry.coordinates[0] ?? []) : [];
        const [lons, lats] = [ring.map(([lon = 0]) => lon), ring.map(([, lat = 0]) => lat)];
        return {
          step: Number(properties?.step),
          box: [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)] as BBox,
        };
      });
  };
  const layers = shapesOf([{ bbox: MONACO, rows: 1 }]);
  const at = (name: string, lon: number, lat: number) => layers(name).find(({ box }) => bboxContains(box, lon, lat));
  expect(at("covered", 7.4246, 43.7384)).toBeDefined();
  expect(at("outside", 7.4246, 43.7384)).toBeUndefined();
  const steps = [0.004, 0.012, 0.017, 0.1].map((away) => at("outside", MONACO[2] + away, 43.7384)?.step);
  expect(steps).toEqual(steps.toSorted((a, b) => Number(a) - Number(b)));
  expect(steps.at(-1)).toBe(4);
  const world = Array.from({ length: 100 }, (_, i) => {
    const bbox: BBox = [3 * i - 150, 40, 3 * i - 147, 45];
    return { bbox, rows: 1 };
  });
  expect(shapesOf(world)("covered").length).toBeGreaterThan(0);
  expect(shapesOf(world)("outside")).toEqual([]);
});

test("a box is covered where it meets rows, and unknown where boxes are too imprecise", () => {
  const town = { bbox: MONACO, rows: 95 };
  expect(isCovered([town], [7.4, 43.7, 7.5, 43.8])).toBe(true);
  expect(isCovered([town], [8, 43.7, 8.1, 43.8])).toBe(false);
  expect(isCovered([{ bbox: [-180, -90, 180, 90], rows: 1 }], MONACO)).toBeUndefined();
});
