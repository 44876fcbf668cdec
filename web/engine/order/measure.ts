/**
 * Distances of a partition's rows, and of its shapes.
 * @module
 */
import type { Region } from "../plan/region.ts";
import type { Partition, Shape } from "../store/partition.ts";

/**
 * Metres from the region's origin to each row, rounded to 1 mm; Infinity for rows outside the region, and for those whose
 * flag in `matches` is 0.
 */
export function measureRows({ boxes, rows, wkb }: Partition, region: Region, matches?: Uint8Array): Float64Array {
  const distances = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row < rows; row++) {
    if (matches?.[row] === 0) continue;
    const south = boxes.south[row] as number;
    const north = boxes.north[row] as number;
    // no arithmetic for most rows of a large partition
    if (south > region.north || north < region.south) continue;
    const west = boxes.west[row] as number;
    const east = boxes.east[row] as number;
    // the box of a point is the point
    if (west === east && south === north) {
      distances[row] = region.metersOfPoint(west, south);
      continue;
    }
    const box = [west, south, east, north] as const;
    if (region.reaches(box)) distances[row] = region.metersOf(wkb(row), box);
  }
  return distances;
}

/** Metres from the region's origin to each row inside the region, rounded to 1 mm, in order. */
export function measureShape({ rows, geometry }: Shape, region: Region): Float64Array {
  const distances = new Float64Array(rows);
  let matched = 0;
  for (let row = 0; row < rows; row++) {
    const meters = region.metersOf(geometry(row));
    if (meters !== Number.POSITIVE_INFINITY) distances[matched++] = meters;
  }
  return distances.slice(0, matched).sort();
}

/** Whether a row's box reaches into the region; what tells of rows whose geometry is not at hand. */
export function reachOf(region: Region): (partition: Partition, row: number) => boolean {
  return ({ boxes: { west, south, east, north } }, row) =>
    region.reaches([west[row] ?? 0, south[row] ?? 0, east[row] ?? 0, north[row] ?? 0]);
}
