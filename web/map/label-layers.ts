/**
 * Layers with names of countries, towns, quarters, water, parks and streets, in the user's language if the data has it. @module
 */
import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from "maplibre-gl";
import { all, byZoom, FONT, growing, inLocal, inWorld, oneOf, STRONG_FONT } from "./expressions.ts";
import type { Palette } from "./palette.ts";

const NAME: ExpressionSpecification = ["get", "name"];
const HAS_NAME: FilterSpecification = ["has", "name"];
/** Lowest zoom at which towns of the dataset are named. Up to `WORLD_TOWNS_END_ZOOM`, towns of the world are named too. */
const DIVISIONS_MIN_ZOOM = 7;
const WORLD_TOWNS_END_ZOOM = 11;
const QUARTERS = ["macrohood", "neighborhood", "microhood"];

/** Returns the layers, lowest first. Where labels collide, those of lower layers give way. */
export function labelLayers(colour: Palette): LayerSpecification[] {
  const inColour = (text: string) => ({
    "text-color": text,
    "text-halo-color": colour.halo,
    "text-halo-width": 1.3,
    "text-halo-blur": 0.3,
  });
  const named = { "text-field": NAME, "text-font": FONT };
  const largestFirst: ExpressionSpecification = ["-", 0, ["get", "population"]];
  return [
    {
      id: "street-name",
      type: "symbol",
      ...inLocal("segment"),
      minzoom: 14,
      filter: all(HAS_NAME, oneOf("subtype", "road"), [
        ">=",
        ["zoom"],
        [
          "match",
          ["get", "class"],
          ["motorway", "trunk", "primary", "secondary"],
          14,
          ["tertiary"],
          15,
          ["residential", "unclassified", "living_street", "pedestrian"],
          15.5,
          16.5,
        ],
      ] as FilterSpecification),
      layout: {
        ...named,
        "symbol-placement": "line",
        "text-size": growing(14, 10, 19, 15),
        "text-letter-spacing": 0.02,
        "text-max-angle": 35,
      },
      paint: inColour(colour.text),
    },
    {
      id: "stream-name",
      type: "symbol",
      ...inLocal("water"),
      minzoom: 14,
      filter: all(HAS_NAME, ["==", ["geometry-type"], "LineString"]),
      layout: { ...named, "symbol-placement": "line", "text-size": 11, "text-letter-spacing": 0.08 },
      paint: inColour(colour.waterText),
    },
    {
      id: "area-name",
      type: "symbol",
      ...inLocal("area_name"),
      minzoom: 14,
      // An area is labelled if it is about 60 pixels wide.
      filter: [">", ["get", "side"], ["step", ["zoom"], 0.0025, 15, 0.0012, 16, 0.0006, 17, 0]],
      layout: { ...named, "text-size": byZoom(14, 10, 18, 13), "text-max-width": 7 },
      paint: inColour(["match", ["get", "of"], "water", colour.waterText, colour.greenText] as unknown as string),
    },
    {
      id: "quarter-name",
      type: "symbol",
      ...inLocal("division"),
      minzoom: 13,
      maxzoom: 17,
      filter: all(HAS_NAME, oneOf("subtype", ...QUARTERS)),
      layout: {
        ...named,
        "text-size": byZoom(13, 10.5, 16, 14),
        "text-max-width": 7,
        "text-letter-spacing": 0.06,
        "symbol-sort-key": ["match", ["get", "subtype"], "macrohood", 0, "neighborhood", 1, 2],
      },
      paint: inColour(colour.quietText),
    },
    {
      id: "locality-name",
      type: "symbol",
      ...inLocal("division"),
      minzoom: DIVISIONS_MIN_ZOOM,
      maxzoom: 16,
      filter: all(HAS_NAME, oneOf("subtype", "locality", "localadmin", "borough")),
      layout: {
        ...named,
        "text-font": STRONG_FONT,
        "text-size": byZoom(7, 11, 11, ["case", [">", ["get", "population"], 50_000], 15, 12] as never, 15, 17),
        "text-max-width": 7,
        "symbol-sort-key": largestFirst,
      },
      paint: inColour(colour.text),
    },
    {
      id: "town-name",
      type: "symbol",
      ...inWorld("town"),
      minzoom: 3,
      maxzoom: WORLD_TOWNS_END_ZOOM,
      filter: [
        ">=",
        ["get", "population"],
        ["step", ["zoom"], 8_000_000, 4, 3_000_000, 5, 1_000_000, 6, 400_000, 7, 0],
      ],
      layout: {
        ...named,
        "text-size": byZoom(3, 10.5, 8, 13),
        "symbol-sort-key": largestFirst,
        "text-max-width": 7,
        "text-padding": 4,
      },
      paint: inColour(colour.text),
    },
    {
      id: "country-name",
      type: "symbol",
      ...inWorld("country"),
      maxzoom: 7,
      filter: [">=", ["get", "size"], ["step", ["zoom"], 8, 2, 5, 3, 2.5, 4, 1, 5, 0]],
      layout: {
        ...named,
        "text-font": STRONG_FONT,
        "text-size": byZoom(1, 10, 6, 16),
        "text-letter-spacing": 0.08,
        "text-max-width": 7,
        "symbol-sort-key": ["-", 0, ["get", "size"]],
        "text-padding": 6,
      },
      paint: inColour(colour.quietText),
    },
  ];
}
