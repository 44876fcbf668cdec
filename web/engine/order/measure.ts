/**
 * Measures distances of rows from the origin of a region.
 * @module
 */
import type { Points } from "../../../data/format/points.ts";
import type { Region } from "../plan/region.ts";

/** Edge comparisons per slice of work: some milliseconds. */
const COMPARISONS_AT_A_TIME = 2_000_000;

interface Measuring {
  /** For all rows, initially Infinity; overwritten. */
  readonly distances: Float64Array;
  readonly isWanted?: ((row: number) => boolean) | undefined;
}

/**
 * Writes the distance of each row from row `start` on into `distances`: metres from the region's origin, rounded to 1 mm. Rows
 * outside the region or not wanted keep Infinity. Stops early if an area is slow to test. Returns the next row to measure.
 */
export function measurePoints(
  { rows, geometry, boxes }: Pick<Points, "rows" | "geometry" | "boxes">,
  region: Region,
  { distances, isWanted = () => true }: Measuring,
  start = 0,
): number {
  const end = region.comparisons() + COMPARISONS_AT_A_TIME;
  for (let row = start; row < rows; row++) {
    // no destructuring: before the loop is optimized, that takes three times as long
    const south = boxes[4 * row + 1] as number;
    const north = boxes[4 * row + 3] as number;
    // skips the arithmetic for most rows of a large partition
    if (south > region.north || north < region.south || !isWanted(row)) continue;
    const west = boxes[4 * row] as number;
    const east = boxes[4 * row + 2] as number;
    if (west === east && south === north) distances[row] = region.metersOfPoint(west, south);
    else {
      const box = [west, south, east, north] as const;
      if (region.reaches(box)) distances[row] = region.metersOf(geometry(row), box);
    }
    if (region.comparisons() >= end) return row + 1;
  }
  return rows;
}
