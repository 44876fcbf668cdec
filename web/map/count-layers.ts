/** Layers of areas that are coloured by the number of their records. @module */
import type * as GeoJSON from "geojson";
import type { LayerSpecification } from "maplibre-gl";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { Feature } from "../engine/index.ts";
import { STRONG_FONT } from "./expressions.ts";
import type { Palette } from "./palette.ts";

/** Name of the source, and prefix of the names of its layers. */
export const COUNT_SOURCE = "counts";

/** Opacity of the areas with the fewest and with the most records. */
const OPACITY = [0.12, 0.8] as const;

/** Returns the areas, and for each a point with its count as label. `areas` must have the property `count`. */
export function countShapes(areas: readonly Feature[], language: string): GeoJSON.FeatureCollection {
  const features = areas.flatMap(({ id, geometry, properties: { count, name } }): GeoJSON.Feature[] => {
    const at = representativePoint(geometry);
    const label = Number(count).toLocaleString(language);
    const properties = { id, count, name, label };
    return [
      { type: "Feature", properties, geometry: geometry as GeoJSON.Geometry },
      ...(at
        ? [{ type: "Feature" as const, properties, geometry: { type: "Point" as const, coordinates: [...at] } }]
        : []),
    ];
  });
  return { type: "FeatureCollection", features };
}

/**
 * Returns the layers of fills, edges and counts. The scale of colours is logarithmic, because towns have many times the records
 * of villages.
 */
export function countLayers(areas: readonly Feature[], colours: Palette): LayerSpecification[] {
  const most = areas.reduce((highest, { properties }) => Math.max(highest, Number(properties.count)), 1);
  const [least, full] = OPACITY;
  const share = ["/", ["ln", ["+", 1, ["get", "count"]]], Math.log(1 + most)];
  const layerOf = (name: string, type: string) => ({
    id: `${COUNT_SOURCE}-${name}`,
    source: COUNT_SOURCE,
    filter: ["==", ["geometry-type"], type],
  });
  return [
    {
      ...layerOf("fill", "Polygon"),
      type: "fill",
      paint: { "fill-color": colours.accent, "fill-opacity": ["interpolate", ["linear"], share, 0, least, 1, full] },
    },
    {
      ...layerOf("line", "Polygon"),
      type: "line",
      paint: { "line-color": colours.halo, "line-width": 1 },
    },
    {
      ...layerOf("label", "Point"),
      type: "symbol",
      layout: {
        "text-field": ["get", "label"],
        "text-font": STRONG_FONT,
        "text-size": 12,
        "symbol-sort-key": ["-", ["get", "count"]],
      },
      paint: { "text-color": colours.text, "text-halo-color": colours.halo, "text-halo-width": 1.5 },
    },
  ] as LayerSpecification[];
}
