import { expression, validateStyleMin } from "@maplibre/maplibre-gl-style-spec";
import { expect, test } from "vitest";
import { LOCAL_SOURCE } from "../../map/expressions.ts";
import { solidLayer } from "./buildings-3d.tsx";

test.each([false, true])("a taller building never has the colour of a lower step (dark: %s)", (isDark) => {
  const layer = solidLayer(isDark);
  const sources = { [LOCAL_SOURCE]: { type: "vector" as const, tiles: ["https://a.test/{z}/{x}/{y}"] } };
  expect(validateStyleMin({ version: 8, sources, layers: [layer] } as never)).toEqual([]);
  const made = expression.createExpression(layer.paint?.["fill-extrusion-color"], "color");
  if (made.result !== "success") throw new Error("the colour is not an expression");
  const colourAt = (height: number) =>
    String(made.value.evaluate({ zoom: 16 }, { type: 3, properties: { height }, geometry: [] } as never));
  expect(new Set([0, 4.9, 5, 9, 12, 25, 40, 300].map(colourAt)).size).toBe(5);
  expect(colourAt(4.9)).not.toBe(colourAt(5));
  expect(colourAt(40)).toBe(colourAt(300));
});
