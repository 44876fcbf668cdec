/**
 * The map's style: sources of our own alone, and no font but the system's.
 * @module
 */
import type * as GeoJSON from "geojson";
import type { StyleSpecification } from "maplibre-gl";
import { LOCAL_MAX_ZOOM, LOCAL_MIN_ZOOM, WORLD_MAX_ZOOM } from "../../hosts/browser/basemap/zooms.ts";
import { groundLabels, groundLayers, LOCAL_SOURCE, WORLD_SOURCE } from "./ground-layers.ts";
import { palette } from "./palette.ts";
import { AREA_SOURCE, RESULT_SOURCE, resultLayers } from "./result-layers.ts";
import { tileUrl } from "./tiles.ts";

interface Drawn {
  readonly area: GeoJSON.FeatureCollection;
  readonly results: GeoJSON.FeatureCollection;
}

/** The style with what is drawn at the moment. */
export function mapStyle(isDark: boolean, { area, results }: Drawn): StyleSpecification {
  const colour = palette(isDark);
  return {
    version: 8,
    sources: {
      [WORLD_SOURCE]: { type: "vector", tiles: [tileUrl("world")], maxzoom: WORLD_MAX_ZOOM },
      [LOCAL_SOURCE]: { type: "vector", tiles: [tileUrl("local")], minzoom: LOCAL_MIN_ZOOM, maxzoom: LOCAL_MAX_ZOOM },
      [AREA_SOURCE]: { type: "geojson", data: area },
      [RESULT_SOURCE]: { type: "geojson", data: results },
    },
    layers: [...groundLayers(colour), ...groundLabels(colour), ...resultLayers(colour)],
  };
}
