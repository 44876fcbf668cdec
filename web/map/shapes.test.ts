import { expect, test } from "vitest";
import { MAX_RADIUS_METERS } from "../../data/format/limits.ts";
import type { Feature } from "../engine/index.ts";
import { palette } from "./palette.ts";
import { resultLayers } from "./result-layers.ts";
import { boundsOf, dotShapes, dotsExcept, resultShapes } from "./shapes.ts";

const square: [number, number][][] = [
  [
    [7, 43],
    [8, 43],
    [8, 44],
    [7, 43],
  ],
];
const record = (theme: string): Feature => ({
  type: "Feature",
  id: theme,
  geometry: { type: "Polygon", coordinates: square },
  properties: { theme },
});

test("nested divisions are drawn as edges; other areas are filled", () => {
  const { outlines } = resultShapes([record("divisions"), record("buildings")], { first: 1, write: String });
  expect(outlines.features.map(({ properties }) => properties?.nested)).toEqual([true, undefined]);
  const [fill] = resultLayers(palette(false), "en").filter(({ id }) => id === "result-fill");
  expect(JSON.stringify(fill && "filter" in fill ? fill.filter : undefined)).toContain('["!",["has","nested"]]');
});

const placed = (id: string, lon: number, lat: number): Feature => ({
  id,
  type: "Feature",
  geometry: { type: "Point", coordinates: [lon, lat] },
  properties: {},
});

test("matches of the list are drawn once, and several at one position each", () => {
  const points = Float64Array.from([7, 43, 7, 43, 8, 44]);
  const located = { points, rows: undefined, outlines: [] };
  expect(dotsExcept(located, [placed("a", 7, 43)])).toEqual([
    { lon: 7, lat: 43, rows: undefined },
    { lon: 8, lat: 44, rows: undefined },
  ]);
  expect(dotsExcept(located, [])).toHaveLength(3);
});

test("cells count the records of the list too, so that those weigh nothing", () => {
  const located = { points: Float64Array.from([7, 43]), rows: Uint32Array.from([12]), outlines: [] };
  const dots = dotsExcept(located, [placed("a", 7, 43)]);
  expect(dotShapes(dots, 0).features.map(({ properties }) => properties)).toEqual([{ rows: 12 }]);
  const { points } = resultShapes([placed("a", 7, 43)], { first: 1, write: String, isCounted: true });
  expect(points.features[0]?.properties).toMatchObject({ number: 1, weight: 0 });
});

test("a list by distance without a circle shows its centre and the nearest five, other searches all records", () => {
  const records = [1, 2, 3, 4, 5, 6].map((lon) => placed(String(lon), lon, 0));
  const everywhere = { centre: { lon: 0, lat: 1 }, radiusMeters: MAX_RADIUS_METERS };
  expect(boundsOf({ search: everywhere, records })).toEqual([0, 0, 5, 1]);
  expect(boundsOf({ search: everywhere, records: [] })).toEqual([0, 1, 0, 1]);
  expect(boundsOf({ search: { centre: undefined, radiusMeters: 0 }, records })).toEqual([1, 0, 6, 0]);
});
