/**
 * The x-ray: boxes of the partitions that the last search touched, for the map.
 * @module
 */
import { signal } from "@preact/signals";
import type * as GeoJSON from "geojson";
import type { LayerSpecification } from "maplibre-gl";
import type { BBox } from "../../../data/format/bbox.ts";
import type { AnswerReport } from "../../hosts/browser/protocol/search-calls.ts";
import type { Palette } from "../../map/palette.ts";
import { kindOf } from "./file-kinds.ts";

export const XRAY_SOURCE = "xray";

/** Whether the map shows the partitions of the last search. */
export const isXrayOn = signal(false);

/** A box for each partition, with where it came from; one whose shapes alone were read is told apart. */
export function xrayShapes(report: Pick<AnswerReport, "files"> | undefined): GeoJSON.FeatureCollection {
  const features = (report?.files ?? []).flatMap(({ path, bbox, from }): GeoJSON.Feature[] => {
    const kind = kindOf(path);
    if (!bbox || (kind !== "location" && kind !== "shape")) return [];
    const geometry: GeoJSON.Polygon = { type: "Polygon", coordinates: [ringOf(bbox)] };
    return [{ type: "Feature", geometry, properties: { from, kind } }];
  });
  return { type: "FeatureCollection", features };
}

/** Solid where the rows were read, dashed where only their shapes were; stronger from the network. */
export function xrayLayers(colour: Palette): LayerSpecification[] {
  const line = (kind: string): LayerSpecification => ({
    id: `xray-${kind}`,
    type: "line",
    source: XRAY_SOURCE,
    filter: ["==", ["get", "kind"], kind],
    paint: {
      "line-color": ["match", ["get", "from"], "network", colour.accent, colour.quietText],
      "line-width": 2,
      ...(kind === "shape" ? { "line-dasharray": [3, 2] } : {}),
    },
  });
  return [line("shape"), line("location")];
}

/** Boxes that cross the antimeridian go on beyond 180 degrees. */
function ringOf([west, south, east, north]: BBox): GeoJSON.Position[] {
  const right = east < west ? east + 360 : east;
  return [
    [west, south],
    [right, south],
    [right, north],
    [west, north],
    [west, south],
  ];
}
