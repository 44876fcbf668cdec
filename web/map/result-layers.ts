/** Layers of a search and its results: the circle or area, numbered records, and marked records. @module */
import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  SourceSpecification,
} from "maplibre-gl";
import { all, byZoom, dotPaint, isA, not, plainLine, ROUND, STRONG_FONT } from "./expressions.ts";
import type { Palette } from "./palette.ts";
import { NO_FEATURES } from "./shapes.ts";

export const AREA_SOURCE = "area";
export const RESULT_SOURCE = "results";
/** Name of the source of lines and polygons among the records. */
export const OUTLINE_SOURCE = "outlines";
/** Name of the source of hovered and selected records, which are drawn once more on top. */
export const MARK_SOURCE = "marks";
/** Layers that can be clicked, uppermost first. */
export const RESULT_LAYERS = ["mark-point", "result-point", "match-point", "result-line", "result-fill"];
export const CLUSTER_LAYER = "cluster";

/** Points closer than this are drawn as a cluster. */
const CLUSTER_PIXELS = 32;
const CLUSTER_MAX_ZOOM = 17;

/** Returns the sources of these layers, without data. */
export function resultSources(): Record<string, SourceSpecification> {
  const data = NO_FEATURES;
  return {
    // simplification would make the circle visibly angular
    [AREA_SOURCE]: { type: "geojson", data, tolerance: 0 },
    [OUTLINE_SOURCE]: { type: "geojson", data },
    [RESULT_SOURCE]: {
      type: "geojson",
      data,
      cluster: true,
      clusterRadius: CLUSTER_PIXELS,
      clusterMaxZoom: CLUSTER_MAX_ZOOM,
      clusterProperties: { total: ["+", ["coalesce", ["get", "weight"], ["get", "rows"], 1]] },
    },
    [MARK_SOURCE]: { type: "geojson", data },
  };
}

const part = (name: string): FilterSpecification => ["==", ["get", "part"], name];
/** A filter: several points close to each other on the screen, or a cell whose records are only counted. */
const isCluster: FilterSpecification = ["any", ["has", "point_count"], ["has", "rows"]];
const isRecord: FilterSpecification = ["has", "number"];
const isOther = all(not(["has", "number"]), not(isCluster));
const COUNT: ExpressionSpecification = [
  "max",
  ["coalesce", ["get", "total"], ["get", "rows"], 0],
  ["coalesce", ["get", "point_count"], 0],
];
/** Returns the radius of a dot: wide enough for its number with digits 9 pixels high, the smallest readable size. */
const dotRadius = (pixels: number): ExpressionSpecification => [
  "step",
  ["length", ["get", "label"]],
  pixels,
  3,
  pixels + 2.5,
  4,
  pixels + 6.5,
];
const DOT_RADIUS: ExpressionSpecification = [
  "interpolate",
  ["linear"],
  ["zoom"],
  8,
  dotRadius(10),
  14,
  dotRadius(11),
  18,
  dotRadius(12),
];
const NUMBER_SIZE: ExpressionSpecification = ["case", [">", ["length", ["get", "label"]], 3], 11.5, 12];

/** Returns the layers, lowest first. Counts are written in the language (BCP 47). */
export function resultLayers(colour: Palette, language: string): LayerSpecification[] {
  return [
    ...areaLayers(colour),
    ...outlineLayers(colour),
    ...clusterLayers(colour, language),
    ...pointLayers(colour),
    ...markLayers(colour),
    ...handleLayers(colour),
  ];
}

/** A label that is always drawn, such as the number in a dot. */
const LABEL = {
  "text-field": ["get", "label"] as ExpressionSpecification,
  "text-font": STRONG_FONT,
  "text-allow-overlap": true,
  "text-ignore-placement": true,
};

/** Returns the colour of a record: its own if records are coloured by a column, otherwise the accent colour. */
const colourOf = ({ accent }: Palette): ExpressionSpecification => ["coalesce", ["get", "colour"], accent];

const dotOf = (colour: Palette) => ({
  "circle-color": colourOf(colour),
  "circle-stroke-color": colour.onAccent,
  "circle-radius": DOT_RADIUS,
});

/** The circle or the drawn area of the search. */
function areaLayers(colour: Palette): LayerSpecification[] {
  return [
    {
      id: "area-fill",
      type: "fill",
      source: AREA_SOURCE,
      filter: part("inside"),
      paint: { "fill-color": colour.accent, "fill-opacity": 0.06 },
    },
    {
      id: "area-halo",
      type: "line",
      source: AREA_SOURCE,
      filter: part("edge"),
      paint: { ...plainLine(colour.halo, 0, 4, 22, 4), "line-opacity": 0.6 },
    },
    {
      id: "area-edge",
      type: "line",
      source: AREA_SOURCE,
      filter: part("edge"),
      paint: plainLine(colour.accent, 0, 2, 22, 2),
    },
    {
      id: "area-centre",
      type: "circle",
      source: AREA_SOURCE,
      filter: part("centre"),
      paint: {
        "circle-radius": 5,
        ...dotPaint(colour.halo, colour.text, 2),
      },
    },
  ];
}

/** Shapes of records that are more than a point. */
function outlineLayers(colour: Palette): LayerSpecification[] {
  return [
    {
      id: "result-fill",
      type: "fill",
      source: OUTLINE_SOURCE,
      // divisions are nested: all their fills would hide the map
      filter: all(isA("Polygon"), not(["has", "nested"])),
      paint: { "fill-color": colourOf(colour), "fill-opacity": ["case", ["has", "colour"], 0.8, 0.22] },
    },
    {
      id: "result-line",
      type: "line",
      source: OUTLINE_SOURCE,
      layout: ROUND,
      paint: {
        "line-color": colourOf(colour),
        "line-width": ["match", ["geometry-type"], "Polygon", 1.4, 3],
        "line-opacity": 0.9,
      },
    },
  ];
}

/** Dots for several records, with their number. */
function clusterLayers(colour: Palette, language: string): LayerSpecification[] {
  return [
    {
      id: CLUSTER_LAYER,
      type: "circle",
      source: RESULT_SOURCE,
      filter: isCluster,
      paint: {
        ...dotPaint(colour.halo, colour.accent, 2.5),
        "circle-radius": ["step", COUNT, 11, 10, 13, 100, 16, 1000, 21, 10_000, 25, 100_000, 29],
      },
    },
    {
      id: "cluster-count",
      type: "symbol",
      source: RESULT_SOURCE,
      filter: isCluster,
      layout: {
        ...LABEL,
        "text-field": ["number-format", COUNT, { locale: language }],
        "text-size": 12,
      },
      paint: { "text-color": colour.accent },
    },
  ];
}

/** Other matches, and the records of the list with their numbers. */
function pointLayers(colour: Palette): LayerSpecification[] {
  return [
    {
      id: "match-point",
      type: "circle",
      source: RESULT_SOURCE,
      filter: isOther,
      paint: {
        ...dotPaint(colourOf(colour), colour.onAccent, 1.2),
        "circle-radius": byZoom(8, 4, 14, 5, 18, 7),
      },
    },
    {
      id: "result-point",
      type: "circle",
      source: RESULT_SOURCE,
      filter: isRecord,
      layout: { "circle-sort-key": ["-", 0, ["get", "number"]] },
      paint: { ...dotOf(colour), "circle-stroke-width": 1.2 },
    },
    {
      id: "result-number",
      type: "symbol",
      source: RESULT_SOURCE,
      filter: isRecord,
      layout: { ...LABEL, "text-size": NUMBER_SIZE },
      paint: { "text-color": ["coalesce", ["get", "ink"], colour.onAccent] },
    },
  ];
}

/** The hovered and the selected record. */
function markLayers(colour: Palette): LayerSpecification[] {
  return [
    {
      id: "mark-fill",
      type: "fill",
      source: MARK_SOURCE,
      filter: isA("Polygon"),
      paint: { "fill-color": colour.accent, "fill-opacity": 0.45 },
    },
    {
      id: "mark-line",
      type: "line",
      source: MARK_SOURCE,
      filter: ["!=", ["geometry-type"], "Point"],
      layout: ROUND,
      paint: { "line-color": colour.accent, "line-width": ["match", ["geometry-type"], "Polygon", 3, 6] },
    },
    {
      id: "mark-point",
      type: "circle",
      source: MARK_SOURCE,
      filter: isA("Point"),
      paint: { ...dotOf(colour), "circle-radius": byZoom(8, 12, 18, 15), "circle-stroke-width": 2.5 },
    },
    {
      id: "mark-number",
      type: "symbol",
      source: MARK_SOURCE,
      filter: isA("Point"),
      layout: { ...LABEL, "text-size": 12 },
      paint: { "text-color": colour.onAccent },
    },
    {
      id: "mark-title",
      type: "symbol",
      source: MARK_SOURCE,
      filter: all(isA("Point"), ["has", "title"]),
      layout: {
        ...LABEL,
        "text-field": ["get", "title"],
        "text-size": 13,
        "text-variable-anchor": ["bottom", "top", "left", "right"],
        "text-radial-offset": 1.4,
        "text-max-width": 14,
      },
      paint: { "text-color": colour.text, "text-halo-color": colour.halo, "text-halo-width": 2 },
    },
  ];
}

/** The handle of the circle while it is dragged, with the radius. */
function handleLayers(colour: Palette): LayerSpecification[] {
  return [
    {
      id: "area-handle",
      type: "circle",
      source: AREA_SOURCE,
      filter: part("handle"),
      paint: {
        "circle-radius": 7,
        ...dotPaint(colour.halo, colour.accent, 2.5),
      },
    },
    {
      id: "area-radius",
      type: "symbol",
      source: AREA_SOURCE,
      filter: all(part("handle"), ["has", "label"]),
      layout: {
        "text-field": ["get", "label"],
        "text-font": STRONG_FONT,
        "text-size": 14,
        "text-anchor": "left",
        "text-offset": [1, 0],
        "text-allow-overlap": true,
      },
      paint: { "text-color": colour.accent, "text-halo-color": colour.halo, "text-halo-width": 2 },
    },
  ];
}
