/** Layers of roads by class with casings, rails, paths, ferries and tunnels. @module */
import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from "maplibre-gl";
import { all, growing, inLocal, not, oneOf, plainLine, ROUND } from "./expressions.ts";
import type { Palette } from "./palette.ts";

const MOTORWAYS = ["motorway", "trunk"];
const MAIN_ROADS = ["primary", "secondary"];
const STREETS = ["tertiary", "residential", "unclassified", "living_street", "unknown"];
const SMALL_STREETS = ["service", "pedestrian", "raceway"];
const ROADS = [...MOTORWAYS, ...MAIN_ROADS, ...STREETS, ...SMALL_STREETS];
const PATHS = ["path", "cycleway", "bridleway", "track"];
const WALKS = ["footway", "steps", "sidewalk", "crosswalk", "corridor"];
const RAILS: FilterSpecification = all(
  oneOf("subtype", "rail"),
  not(oneOf("class", "platform", "platform_edge", "abandoned", "proposed", "razed")),
);

const isTunnel: FilterSpecification = ["has", "tunnel"];

/** Returns the layers of tunnels, which belong below the buildings. */
export function tunnelLayers(colour: Palette): LayerSpecification[] {
  const filter = all(isTunnel, oneOf("class", ...ROADS));
  return [
    {
      id: "tunnel-case",
      type: "line",
      ...inLocal("segment"),
      filter,
      layout: { "line-join": "round" },
      paint: {
        "line-color": colour.roadCase,
        "line-width": 1,
        "line-gap-width": roadWidth(0),
        "line-dasharray": [3, 2],
        "line-opacity": 0.8,
      },
    },
    {
      id: "tunnel",
      type: "line",
      ...inLocal("segment"),
      filter,
      layout: ROUND,
      paint: { "line-color": colour.road, "line-width": roadWidth(0), "line-opacity": 0.45 },
    },
    {
      id: "tunnel-rail",
      type: "line",
      ...inLocal("segment"),
      filter: all(isTunnel, RAILS),
      paint: { "line-color": colour.rail, "line-width": 1, "line-dasharray": [4, 3], "line-opacity": 0.6 },
    },
  ];
}

/** Returns the layers of roads outside tunnels, lowest first. They belong above the buildings. */
export function roadLayers(colour: Palette): LayerSpecification[] {
  const isOpen = not(isTunnel);
  const roads = all(isOpen, oneOf("class", ...ROADS));
  const shade = (motorway: string, main: string, other: string): ExpressionSpecification => [
    "match",
    ["get", "class"],
    MOTORWAYS,
    motorway,
    MAIN_ROADS,
    main,
    other,
  ];
  const inOrder = { ...ROUND, "line-sort-key": rank(5, 4, 2, 1) };
  return [
    {
      id: "ferry",
      type: "line",
      ...inLocal("segment"),
      filter: oneOf("subtype", "water"),
      paint: { "line-color": colour.ferry, "line-width": 1.2, "line-dasharray": [4, 3] },
    },
    {
      id: "walk",
      type: "line",
      ...inLocal("segment"),
      minzoom: 15,
      filter: all(isOpen, oneOf("class", ...WALKS)),
      paint: { "line-color": colour.path, "line-width": growing(15, 0.6, 19, 3), "line-dasharray": [2, 1.4] },
    },
    {
      id: "path",
      type: "line",
      ...inLocal("segment"),
      minzoom: 14,
      filter: all(isOpen, oneOf("class", ...PATHS)),
      paint: { "line-color": colour.path, "line-width": growing(14, 0.8, 19, 4), "line-dasharray": [4, 1.5] },
    },
    {
      id: "road-case",
      type: "line",
      ...inLocal("segment"),
      filter: roads,
      layout: inOrder,
      paint: {
        "line-color": shade(colour.motorwayCase, colour.mainRoadCase, colour.roadCase),
        "line-width": roadWidth(1.6),
      },
    },
    {
      id: "road",
      type: "line",
      ...inLocal("segment"),
      filter: roads,
      layout: inOrder,
      paint: { "line-color": shade(colour.motorway, colour.mainRoad, colour.road), "line-width": roadWidth(0) },
    },
    {
      id: "rail",
      type: "line",
      ...inLocal("segment"),
      filter: all(isOpen, RAILS),
      paint: plainLine(colour.rail, 13, 1.2, 19, 5),
    },
    {
      id: "rail-gap",
      type: "line",
      ...inLocal("segment"),
      minzoom: 15,
      filter: all(isOpen, RAILS),
      paint: { "line-color": colour.railGap, "line-width": growing(15, 1, 19, 3), "line-dasharray": [4, 4] },
    },
  ];
}

function rank(motorway: number, main: number, street: number, small: number): ExpressionSpecification {
  return ["match", ["get", "class"], MOTORWAYS, motorway, MAIN_ROADS, main, STREETS, street, small];
}

/** Returns widths in pixels, each larger by `more`: a casing is visible on both sides of a road. */
function roadWidth(more: number): ExpressionSpecification {
  const widths = (motorway: number, main: number, street: number, small: number) =>
    rank(motorway + more, main + more, street + more, small + more);
  return growing(
    7,
    widths(1.1, 0.6, 0.3, 0.2),
    13,
    widths(3, 2.2, 0.9, 0.3),
    16,
    widths(10, 8.5, 5.5, 2.6),
    19,
    widths(34, 30, 22, 11),
  );
}
