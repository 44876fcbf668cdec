/**
 * Distances of rows from the origin of a region.
 * @module
 */
import type { Points } from "../../../data/format/points.ts";
import type { Region } from "../plan/region.ts";

/** Metres to each row, to 1 mm; Infinity for rows outside the region, and for those that `isWanted` leaves out. */
export function measurePoints(
  { rows, geometry }: Pick<Points, "rows" | "geometry">,
  region: Region,
  isWanted: (row: number) => boolean = () => true,
): Float64Array {
  const distances = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    distances[row] = isWanted(row) ? region.metersOf(geometry(row)) : Number.POSITIVE_INFINITY;
  }
  return distances;
}
