/**
 * The ground: the shipped world at low zooms, the dataset's own land, water, streets and buildings at high ones.
 * @module
 */
import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from "maplibre-gl";
import type { Palette } from "./palette.ts";

export const WORLD_SOURCE = "world";
export const LOCAL_SOURCE = "local";
export const FONT = ["system-ui", "sans-serif"];

const world = (layer: string) => ({ source: WORLD_SOURCE, "source-layer": layer });
const local = (layer: string) => ({ source: LOCAL_SOURCE, "source-layer": layer, minzoom: 12.5 });
const isA = (geometry: "Polygon" | "LineString"): FilterSpecification => ["==", ["geometry-type"], geometry];
const both = (a: FilterSpecification, b: FilterSpecification) => ["all", a, b] as FilterSpecification;
const oneOf = (key: string, ...values: string[]): FilterSpecification => ["in", ["get", key], ["literal", values]];
const byZoom = (...stops: number[]): ExpressionSpecification =>
  ["interpolate", ["exponential", 1.6], ["zoom"], ...stops] as unknown as ExpressionSpecification;

const MAJOR = ["motorway", "trunk", "primary", "secondary"];
const MINOR = ["tertiary", "residential", "unclassified", "living_street", "service", "pedestrian", "unknown"];
const WALKED = ["footway", "path", "steps", "cycleway", "bridleway", "track"];

/** All layers below the results, lowest first. */
export function groundLayers(colour: Palette): LayerSpecification[] {
  return [
    {
      id: "background",
      type: "background",
      // The world's coast is too coarse for high zooms: there, all is land but for the water that the dataset holds.
      paint: { "background-color": ["interpolate", ["linear"], ["zoom"], 9, colour.water, 11, colour.land] },
    },
    { id: "world-land", type: "fill", ...world("land"), maxzoom: 12, paint: { "fill-color": colour.land } },
    {
      id: "world-border",
      type: "line",
      ...world("land"),
      maxzoom: 12,
      paint: {
        "line-color": colour.border,
        "line-width": byZoom(0, 0.4, 6, 1),
        "line-opacity": ["interpolate", ["linear"], ["zoom"], 9, 1, 11, 0],
      },
    },
    area(
      "land-use",
      "land_use",
      colour.built,
      oneOf("subtype", "residential", "developed", "commercial", "retail", "education", "medical"),
    ),
    area(
      "green",
      "land_use",
      colour.green,
      oneOf(
        "subtype",
        "park",
        "recreation",
        "grass",
        "golf",
        "cemetery",
        "horticulture",
        "agriculture",
        "flowerbed",
        "protected",
        "managed",
      ),
    ),
    area("wood", "land", colour.wood, oneOf("subtype", "forest", "shrub", "grass", "wetland")),
    area("forest", "land_use", colour.wood, oneOf("subtype", "forest")),
    area("sand", "land", colour.sand, oneOf("class", "beach", "sand", "bare_rock", "scree")),
    area("marina", "land_use", colour.water, oneOf("class", "marina", "dock")),
    area("water", "water", colour.water),
    {
      id: "stream",
      type: "line",
      ...local("water"),
      filter: both(isA("LineString"), oneOf("subtype", "river", "stream", "canal", "ocean")),
      paint: { "line-color": colour.water, "line-width": byZoom(12, 1, 18, 5) },
    },
    {
      id: "path",
      type: "line",
      ...local("segment"),
      minzoom: 14,
      filter: oneOf("class", ...WALKED),
      paint: { "line-color": colour.path, "line-width": byZoom(14, 0.5, 18, 2), "line-dasharray": [2, 1.5] },
    },
    {
      id: "rail",
      type: "line",
      ...local("segment"),
      filter: oneOf("subtype", "rail"),
      paint: { "line-color": colour.rail, "line-width": byZoom(12, 0.8, 18, 3) },
    },
    ...road("minor", MINOR, colour.road, colour.roadCase, [12, 0.5, 14, 1.6, 16, 5, 19, 22]),
    ...road("major", MAJOR, colour.majorRoad, colour.roadCase, [12, 1.4, 14, 3, 16, 8, 19, 30]),
    {
      id: "building",
      type: "fill",
      ...local("building"),
      minzoom: 14,
      paint: { "fill-color": colour.building, "fill-outline-color": colour.buildingEdge },
    },
  ];

  function area(id: string, layer: string, fill: string, filter?: FilterSpecification): LayerSpecification {
    const polygons = isA("Polygon");
    return {
      id,
      type: "fill",
      ...local(layer),
      filter: filter ? both(polygons, filter) : polygons,
      paint: { "fill-color": fill },
    };
  }
}

function road(id: string, classes: string[], fill: string, edge: string, widths: number[]): LayerSpecification[] {
  const shared = {
    type: "line" as const,
    ...local("segment"),
    filter: oneOf("class", ...classes),
    layout: { "line-cap": "round" as const, "line-join": "round" as const },
  };
  const wider = widths.map((value, index) => (index % 2 === 1 ? value + 1.2 : value));
  return [
    { id: `${id}-case`, ...shared, minzoom: 13, paint: { "line-color": edge, "line-width": byZoom(...wider) } },
    { id, ...shared, paint: { "line-color": fill, "line-width": byZoom(...widths) } },
  ];
}

/** Names of streets, towns and countries, in the system's font. */
export function groundLabels(colour: Palette): LayerSpecification[] {
  const text = { "text-color": colour.text, "text-halo-color": colour.halo, "text-halo-width": 1.4 };
  return [
    {
      id: "street-name",
      type: "symbol",
      ...local("segment"),
      minzoom: 15,
      filter: both(["has", "name"] as FilterSpecification, oneOf("subtype", "road")),
      layout: {
        "symbol-placement": "line",
        "text-field": ["get", "name"],
        "text-font": FONT,
        "text-size": byZoom(15, 10, 18, 13),
      },
      paint: text,
    },
    {
      id: "town-name",
      type: "symbol",
      ...world("town"),
      minzoom: 3,
      maxzoom: 13,
      filter: [
        ">=",
        ["get", "population"],
        ["step", ["zoom"], 8_000_000, 4, 3_000_000, 5, 1_000_000, 6, 400_000, 7, 0],
      ],
      layout: {
        "text-field": ["get", "name"],
        "text-font": FONT,
        "text-size": ["interpolate", ["linear"], ["zoom"], 3, 10, 8, 13],
        "symbol-sort-key": ["-", 0, ["get", "population"]],
        "text-max-width": 7,
      },
      paint: { ...text, "text-opacity": 0.85 },
    },
    {
      id: "country-name",
      type: "symbol",
      ...world("country"),
      maxzoom: 7,
      filter: [">=", ["get", "size"], ["step", ["zoom"], 8, 2, 5, 3, 2.5, 4, 1, 5, 0]],
      layout: {
        "text-field": ["get", "name"],
        "text-font": FONT,
        "text-size": ["interpolate", ["linear"], ["zoom"], 1, 10, 6, 16],
        "text-letter-spacing": 0.06,
        "text-max-width": 7,
        "symbol-sort-key": ["-", 0, ["get", "size"]],
      },
      paint: text,
    },
  ];
}
