/** Layers of places with icons and names, bus stops, peaks and house numbers. @module */
import type { ExpressionSpecification, LayerSpecification } from "maplibre-gl";
import { PLACES_MAX_ZOOM, PLACES_MIN_ZOOM, type PlaceGroup, STOPS_MIN_ZOOM } from "../hosts/browser/protocol/index.ts";
import { byZoom, FONT, inLocal, inPlaces, oneOf } from "./expressions.ts";
import { placeColour } from "./map-images.ts";
import type { Palette } from "./palette.ts";

/** Layers that can be clicked, each with the type of its records. */
export const PLACE_LAYERS: Readonly<Record<string, string>> = {
  place: "place",
  stop: "infrastructure",
  peak: "land",
  house: "address",
};

const GROUPS: readonly PlaceGroup[] = ["food", "shop", "health", "stay", "culture", "nature", "travel", "public"];
/** Lowest zoom with names of places. */
const NAMES_ZOOM = 16;

/** Returns the layers, lowest first. */
export function placeLayers(colour: Palette): LayerSpecification[] {
  const ofGroup = ["match", ["get", "group"], ...GROUPS.flatMap((group) => [group, placeColour(colour, group)])];
  const textColour = [...ofGroup, placeColour(colour, "other")] as unknown as ExpressionSpecification;
  const name = {
    "text-field": ["step", ["zoom"], "", NAMES_ZOOM, ["coalesce", ["get", "name"], ""]] as ExpressionSpecification,
    "text-font": FONT,
    "text-size": byZoom(16, 11, 19, 13),
    "text-max-width": 8,
    "text-optional": true,
    "text-variable-anchor": ["left", "right", "top", "bottom"] as ("left" | "right" | "top" | "bottom")[],
    "text-radial-offset": 0.95,
    "text-justify": "auto" as const,
  };
  const halo = { "text-halo-color": colour.halo, "text-halo-width": 1.4, "text-halo-blur": 0.2 };
  return [
    {
      id: "house",
      type: "symbol",
      ...inPlaces("house"),
      minzoom: PLACES_MAX_ZOOM,
      layout: { "text-field": ["get", "number"], "text-font": FONT, "text-size": 10, "text-padding": 1 },
      paint: { "text-color": colour.quietText, ...halo },
    },
    {
      id: "peak",
      type: "symbol",
      ...inLocal("land"),
      minzoom: 12,
      filter: oneOf("class", "peak", "volcano"),
      layout: {
        ...name,
        "text-field": ["coalesce", ["get", "name"], ""],
        "icon-image": "nature/mountain",
        "icon-size": 0.8,
        "text-size": 11,
      },
      paint: { "text-color": colour.greenText, ...halo },
    },
    {
      id: "stop",
      type: "symbol",
      ...inPlaces("stop"),
      minzoom: STOPS_MIN_ZOOM,
      layout: {
        ...name,
        "text-field": ["step", ["zoom"], "", PLACES_MAX_ZOOM, ["coalesce", ["get", "name"], ""]],
        "icon-image": ["get", "icon"],
        "icon-size": 0.75,
        "text-size": 11,
      },
      paint: { "text-color": placeColour(colour, "travel"), ...halo },
    },
    {
      id: "place",
      type: "symbol",
      ...inPlaces("place"),
      minzoom: PLACES_MIN_ZOOM,
      // plain dots would hide the icons
      filter: ["any", [">=", ["zoom"], NAMES_ZOOM], ["!=", ["get", "group"], "other"]],
      layout: {
        ...name,
        "icon-image": ["get", "icon"],
        "icon-size": byZoom(14, 0.7, 16, 0.9, 18, 1.1),
        "icon-padding": byZoom(14, 6, 17, 2),
        "symbol-sort-key": ["-", 0, ["get", "rank"]],
      },
      paint: { "text-color": textColour, ...halo },
    },
  ];
}
