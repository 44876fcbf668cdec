/**
 * The map's style: sources of our own alone, and no font but the system's.
 * @module
 */
import type { StyleSpecification } from "maplibre-gl";
import { LOCAL_MAX_ZOOM, LOCAL_MIN_ZOOM, WORLD_MAX_ZOOM } from "../../hosts/browser/basemap/zooms.ts";
import type { TileAddress } from "../../hosts/browser/protocol.ts";
import { LOCAL_SOURCE, WORLD_SOURCE } from "./expressions.ts";
import { groundLayers } from "./ground-layers.ts";
import { guestLayers, guestSources } from "./guest-layers.ts";
import { labelLayers } from "./label-layers.ts";
import { palette } from "./palette.ts";
import { resultLayers, resultSources } from "./result-layers.ts";
import { SAVED_SOURCE, savedLayers } from "./saved-layers.ts";
import { NO_FEATURES } from "./shapes.ts";
import { XRAY_SOURCE, xrayLayers } from "./xray.ts";

export interface StyleOptions {
  readonly isDark: boolean;
  /** Of names and numbers, BCP 47. */
  readonly language: string;
  /** Template of the addresses of a map's tiles. */
  readonly tileUrl: (map: TileAddress["map"]) => string;
}

/** The style, with nothing searched yet. */
export function mapStyle({ isDark, language, tileUrl }: StyleOptions): StyleSpecification {
  const colour = palette(isDark);
  return {
    version: 8,
    sources: {
      [WORLD_SOURCE]: { type: "vector", tiles: [tileUrl("world")], maxzoom: WORLD_MAX_ZOOM },
      [LOCAL_SOURCE]: { type: "vector", tiles: [tileUrl("local")], minzoom: LOCAL_MIN_ZOOM, maxzoom: LOCAL_MAX_ZOOM },
      [SAVED_SOURCE]: { type: "geojson", data: NO_FEATURES },
      [XRAY_SOURCE]: { type: "geojson", data: NO_FEATURES },
      ...guestSources(),
      ...resultSources(),
    },
    layers: [
      ...groundLayers(colour),
      ...labelLayers(colour),
      ...savedLayers(colour),
      ...xrayLayers(colour),
      ...guestLayers(colour),
      ...resultLayers(colour, language),
    ],
  };
}
