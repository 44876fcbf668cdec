/**
 * The map style: only our own sources, and only system fonts.
 * @module
 */
import type { StyleSpecification } from "maplibre-gl";
import {
  LOCAL_MAX_ZOOM,
  LOCAL_MIN_ZOOM,
  PLACES_MAX_ZOOM,
  PLACES_MIN_ZOOM,
  type TileAddress,
  WORLD_MAX_ZOOM,
} from "../hosts/browser/protocol/index.ts";
import { baseMapLayers } from "./base-map-layers.ts";
import { LOCAL_SOURCE, PLACES_SOURCE, WORLD_SOURCE } from "./expressions.ts";
import { labelLayers } from "./label-layers.ts";
import { type Palette, palette } from "./palette.ts";
import { placeLayers } from "./place-layers.ts";
import { resultLayers, resultSources } from "./result-layers.ts";

interface StyleOptions {
  readonly isDark: boolean;
  /** Whether the base map is grey, so that results are easier to see. */
  readonly isMuted?: boolean;
  /** Whether places and house numbers are drawn. Default: true. */
  readonly hasPlaces?: boolean;
  /** Language of names and numbers, BCP 47. */
  readonly language: string;
  /** Returns the template of the tile URLs of a map, with `{z}`, `{x}` and `{y}`. */
  readonly tileUrl: (map: TileAddress["map"]) => string;
  readonly overlays?: (colour: Palette) => Pick<StyleSpecification, "sources" | "layers">;
}

/** Returns the style of the map, with empty sources for a search. */
export function mapStyle({
  isDark,
  isMuted,
  hasPlaces = true,
  language,
  tileUrl,
  overlays,
}: StyleOptions): StyleSpecification {
  const colour = palette(isDark, isMuted);
  const { sources = {}, layers = [] } = overlays?.(colour) ?? {};
  return {
    version: 8,
    sources: {
      [WORLD_SOURCE]: { type: "vector", tiles: [tileUrl("world")], maxzoom: WORLD_MAX_ZOOM },
      [LOCAL_SOURCE]: { type: "vector", tiles: [tileUrl("local")], minzoom: LOCAL_MIN_ZOOM, maxzoom: LOCAL_MAX_ZOOM },
      [PLACES_SOURCE]: {
        type: "vector",
        tiles: [tileUrl("places")],
        minzoom: PLACES_MIN_ZOOM,
        maxzoom: PLACES_MAX_ZOOM,
      },
      ...sources,
      ...resultSources(),
    },
    layers: [
      ...baseMapLayers(colour),
      ...(hasPlaces ? placeLayers(colour) : []),
      ...labelLayers(colour),
      ...layers,
      ...resultLayers(colour, language),
    ],
  };
}
