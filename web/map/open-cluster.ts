import type { GeoJSONSource, MapGeoJSONFeature, Map as MapLibre } from "maplibre-gl";
import { RESULT_SOURCE } from "./result-layers.ts";

interface ClusterOptions {
  /** Called with the first record of the cluster if it cannot be separated; without records, with any of its features. */
  readonly onOpen: (feature: Pick<MapGeoJSONFeature, "geometry" | "properties">) => void;
  /** Margins of the map that other parts of the page cover, in pixels. Default: 0. */
  readonly padding?: Readonly<Record<"left" | "right" | "top" | "bottom", number>>;
}

/** Zoom levels to zoom in from a cell to its parts, and from a cluster of old data to its records. */
const CELL_STEP = 2;

/** Zooms in until the records of the cluster separate. If all have the same position, calls `onOpen`. */
export async function openCluster(
  map: MapLibre,
  cluster: MapGeoJSONFeature,
  { onOpen, padding }: ClusterOptions,
): Promise<void> {
  const source = map.getSource<GeoJSONSource>(RESULT_SOURCE);
  if (!source || cluster.geometry.type !== "Point") return;
  const id = Number(cluster.properties.cluster_id);
  const isCell = cluster.properties.cluster_id === undefined;
  const step = map.getZoom() + CELL_STEP;
  // The source may have other data by now, and then refuses the cluster of the picture.
  const zoom = isCell ? step : await source.getClusterExpansionZoom(id).catch(() => step);
  if (zoom <= map.getMaxZoom() && zoom > map.getZoom()) {
    const [lon = 0, lat = 0] = cluster.geometry.coordinates;
    const animate = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    const offset: [number, number] = padding
      ? [(padding.left - padding.right) / 2, (padding.top - padding.bottom) / 2]
      : [0, 0];
    map.easeTo({ center: [lon, lat], zoom, offset, animate });
    return;
  }
  const [first] = isCell ? [] : await source.getClusterLeaves(id, 1, 0).catch(() => []);
  if (first) onOpen({ geometry: first.geometry, properties: first.properties ?? {} });
}
