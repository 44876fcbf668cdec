import type { GeoJSONSource, MapGeoJSONFeature, Map as MapLibre } from "maplibre-gl";
import { RESULT_SOURCE } from "./result-layers.ts";

/** Goes near enough to tell the cluster's records apart; of those in one place the first is opened. */
export async function openCluster(
  map: MapLibre,
  cluster: MapGeoJSONFeature,
  onSelect: (id: string) => void,
): Promise<void> {
  const source = map.getSource<GeoJSONSource>(RESULT_SOURCE);
  if (!source || cluster.geometry.type !== "Point") return;
  const id = Number(cluster.properties.cluster_id);
  const zoom = await source.getClusterExpansionZoom(id);
  if (zoom <= map.getMaxZoom() && zoom > map.getZoom()) {
    const [lon = 0, lat = 0] = cluster.geometry.coordinates;
    map.easeTo({ center: [lon, lat], zoom, animate: !matchMedia("(prefers-reduced-motion: reduce)").matches });
    return;
  }
  const [first] = await source.getClusterLeaves(id, 1, 0);
  if (first) onSelect(String(first.properties?.record));
}
