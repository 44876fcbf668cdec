/**
 * What was searched and found, over the ground: the circle, the records, their numbers.
 * @module
 */
import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import { FONT } from "./expressions.ts";
import type { Palette } from "./palette.ts";

export const AREA_SOURCE = "area";
export const RESULT_SOURCE = "results";
/** Layers that answer to the pointer. */
export const RESULT_LAYERS = ["result-point", "result-line", "result-fill"];

/** Numbers on points only where there is room for them. */
const NUMBERS_MIN_ZOOM = 13;

export function resultLayers(colour: Palette): LayerSpecification[] {
  const lit: ExpressionSpecification = ["any", state("hovered"), state("selected")];
  const whenLit = <T>(on: T, off: T): ExpressionSpecification => ["case", lit, on as never, off as never];
  const results = { source: RESULT_SOURCE } as const;
  return [
    {
      id: "circle-fill",
      type: "fill",
      source: AREA_SOURCE,
      filter: ["==", ["geometry-type"], "Polygon"],
      paint: { "fill-color": colour.accent, "fill-opacity": 0.05 },
    },
    {
      id: "circle-line",
      type: "line",
      source: AREA_SOURCE,
      filter: ["==", ["geometry-type"], "Polygon"],
      paint: { "line-color": colour.accent, "line-width": 1.5, "line-dasharray": [3, 2], "line-opacity": 0.8 },
    },
    {
      id: "result-fill",
      type: "fill",
      ...results,
      filter: ["==", ["geometry-type"], "Polygon"],
      paint: { "fill-color": colour.accent, "fill-opacity": whenLit(0.5, 0.22) },
    },
    {
      id: "result-line",
      type: "line",
      ...results,
      filter: ["!=", ["geometry-type"], "Point"],
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": colour.accent, "line-width": whenLit(4, 1.8), "line-opacity": 0.9 },
    },
    {
      id: "result-point",
      type: "circle",
      ...results,
      filter: ["==", ["geometry-type"], "Point"],
      layout: { "circle-sort-key": ["-", 0, ["get", "number"]] },
      paint: {
        "circle-color": colour.accent,
        "circle-stroke-color": colour.onAccent,
        "circle-stroke-width": whenLit(2.5, 1.2),
        "circle-radius": [
          "interpolate",
          ["linear"],
          ["zoom"],
          10,
          whenLit(7, 3.5),
          14,
          whenLit(12, 8.5),
          18,
          whenLit(14, 11),
        ],
      },
    },
    {
      id: "result-number",
      type: "symbol",
      ...results,
      minzoom: NUMBERS_MIN_ZOOM,
      filter: ["==", ["geometry-type"], "Point"],
      layout: {
        "text-field": ["to-string", ["get", "number"]],
        "text-font": FONT,
        "text-size": 10,
        "symbol-sort-key": ["get", "number"],
      },
      paint: { "text-color": colour.onAccent },
    },
    {
      id: "centre",
      type: "circle",
      source: AREA_SOURCE,
      filter: ["==", ["geometry-type"], "Point"],
      paint: {
        "circle-radius": 4,
        "circle-color": colour.halo,
        "circle-stroke-color": colour.text,
        "circle-stroke-width": 2,
      },
    },
  ];
}

function state(name: string): ExpressionSpecification {
  return ["boolean", ["feature-state", name], false];
}
