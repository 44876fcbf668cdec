import type { Position } from "geojson";
import type { BBox } from "../../data/format/bbox.ts";
import type { TileFeature } from "./tile-feature.ts";

/** The features without points that stand in the cell of an earlier one; all else stays. */
export function thinned(
  features: readonly TileFeature[],
  [west, south, east, north]: BBox,
  cells: number,
): readonly TileFeature[] {
  if (cells === Number.POSITIVE_INFINITY) return features;
  const taken = new Set<string>();
  return features.filter(({ geometry }) => {
    if (geometry.type !== "Point") return true;
    const [lon = 0, lat = 0] = geometry.coordinates as Position;
    const cell = `${Math.floor((cells * (lon - west)) / (east - west))} ${Math.floor((cells * (lat - south)) / (north - south))}`;
    const isFirst = !taken.has(cell);
    taken.add(cell);
    return isFirst;
  });
}
