/** A dot where the reader stands, above all else. @module */
import type * as GeoJSON from "geojson";
import type { LayerSpecification } from "maplibre-gl";
import type { Palette } from "../../map/palette.ts";
import { NO_FEATURES } from "../../map/shapes.ts";
import type { Centre } from "../address/index.ts";

export const READER_SOURCE = "reader";

export function readerShape(place: Centre | undefined): GeoJSON.FeatureCollection {
  if (!place) return NO_FEATURES;
  const geometry: GeoJSON.Point = { type: "Point", coordinates: [place.lon, place.lat] };
  return { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry }] };
}

/** In the colour of what is the reader's own. */
export function readerLayers(colour: Palette): LayerSpecification[] {
  return [
    {
      id: "reader-halo",
      type: "circle",
      source: READER_SOURCE,
      paint: { "circle-radius": 16, "circle-color": colour.guest, "circle-opacity": 0.25 },
    },
    {
      id: "reader",
      type: "circle",
      source: READER_SOURCE,
      paint: {
        "circle-radius": 7,
        "circle-color": colour.guest,
        "circle-stroke-color": colour.halo,
        "circle-stroke-width": 2.5,
      },
    },
  ];
}
