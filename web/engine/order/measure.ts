/**
 * Distances of rows from the origin of a region.
 * @module
 */
import type { Points } from "../../../data/format/points.ts";
import type { Region } from "../plan/region.ts";

/** Metres to each row, to 1 mm; Infinity for rows outside the region, and for those that `isWanted` leaves out. */
export function measurePoints(
  { rows, geometry, boxes }: Pick<Points, "rows" | "geometry" | "boxes">,
  region: Region,
  isWanted: (row: number) => boolean = () => true,
): Float64Array {
  const distances = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row < rows; row++) {
    const [south, north] = [boxes[4 * row + 1] as number, boxes[4 * row + 3] as number];
    // no arithmetic for most rows of a large partition
    if (south > region.north || north < region.south || !isWanted(row)) continue;
    const [west, east] = [boxes[4 * row] as number, boxes[4 * row + 2] as number];
    if (west === east && south === north) {
      distances[row] = region.metersOfPoint(west, south);
      continue;
    }
    const box = [west, south, east, north] as const;
    if (region.reaches(box)) distances[row] = region.metersOf(geometry(row), box);
  }
  return distances;
}
