/** The edges of saved areas, below what was found. @module */
import type * as GeoJSON from "geojson";
import type { LayerSpecification } from "maplibre-gl";
import type { BBox } from "../../../data/format/bbox.ts";
import type { AreaOverview } from "../../hosts/browser/protocol/index.ts";
import type { Palette } from "../../map/palette.ts";
import { areaShape } from "../../map/shapes.ts";

export const SAVED_SOURCE = "saved-areas";

/** A finer line than that of the search, so that the two are told apart. */
export function savedLayers(colour: Palette): LayerSpecification[] {
  return [
    {
      id: "saved-edge",
      type: "line",
      source: SAVED_SOURCE,
      filter: ["==", ["get", "part"], "edge"],
      paint: { "line-color": colour.text, "line-width": 1, "line-opacity": 0.55, "line-dasharray": [2, 3] },
    },
  ];
}

/** The edges of the areas that are saved. */
export function savedShapes(overview: AreaOverview | undefined): GeoJSON.FeatureCollection {
  const features = (overview?.areas ?? []).flatMap(({ id, selection: { shape }, saved }) => {
    if (!saved) return [];
    if (shape.kind === "circle") return edges({ centre: shape, radiusMeters: shape.radiusMeters });
    const bbox: BBox | undefined = shape.kind === "bbox" ? shape.bbox : overview?.boxes[id];
    return bbox ? edges({ centre: undefined, radiusMeters: 0, area: { kind: "box", bbox } }) : [];
  });
  return { type: "FeatureCollection", features };
}

function edges(search: Parameters<typeof areaShape>[0]): GeoJSON.Feature[] {
  return areaShape(search).features.filter(({ properties }) => properties?.part === "edge");
}
