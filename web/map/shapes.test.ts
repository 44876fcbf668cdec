import { expect, test } from "vitest";
import type { Feature } from "../engine/index.ts";
import { palette } from "./palette.ts";
import { resultLayers } from "./result-layers.ts";
import { resultShapes } from "./shapes.ts";

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
