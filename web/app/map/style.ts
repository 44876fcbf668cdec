/**
 * The map's style: sources of our own alone, and no font but the system's.
 * @module
 */
import type * as GeoJSON from "geojson";
import type { StyleSpecification } from "maplibre-gl";
import { LOCAL_MAX_ZOOM, LOCAL_MIN_ZOOM, WORLD_MAX_ZOOM } from "../../hosts/browser/basemap/zooms.ts";
import { LOCAL_SOURCE, WORLD_SOURCE } from "./expressions.ts";
import { groundLayers } from "./ground-layers.ts";
import { labelLayers } from "./label-layers.ts";
import { palette } from "./palette.ts";
import { AREA_SOURCE, RESULT_SOURCE, resultLayers } from "./result-layers.ts";
import { tileUrl } from "./tiles.ts";

interface Shown {
  readonly isDark: boolean;
  /** Of the names, BCP 47. */
  readonly language: string;
  readonly area: GeoJSON.FeatureCollection;
  readonly results: GeoJSON.FeatureCollection;
}

/** The style with what is drawn at the moment. */
export function mapStyle({ isDark, language, area, results }: Shown): StyleSpecification {
  const colour = palette(isDark);
  return {
    version: 8,
    sources: {
      [WORLD_SOURCE]: { type: "vector", tiles: [tileUrl("world", language)], maxzoom: WORLD_MAX_ZOOM },
      [LOCAL_SOURCE]: {
        type: "vector",
        tiles: [tileUrl("local", language)],
        minzoom: LOCAL_MIN_ZOOM,
        maxzoom: LOCAL_MAX_ZOOM,
      },
      [AREA_SOURCE]: { type: "geojson", data: area },
      [RESULT_SOURCE]: { type: "geojson", data: results },
    },
    layers: [...groundLayers(colour), ...labelLayers(colour), ...resultLayers(colour)],
  };
}
