/**
 * Distances of a partition's rows.
 * @module
 */

import { createDistanceMeter } from "../../../data/format/distance.ts";
import { EARTH_RADIUS_METERS, metersTo, originAt, roundToMillimeter, toRadians } from "../../../data/format/sphere.ts";
import { nearestInBBox } from "../plan/bbox-distance.ts";
import type { Circle } from "../query.ts";
import type { Partition } from "../release/partition.ts";

/** Boxes decide only beyond this: distances are rounded to 1 mm after. */
const SLACK_METERS = 0.001;
const METERS_PER_DEGREE = EARTH_RADIUS_METERS * toRadians(1);

/**
 * Metres from the circle's centre to each row, rounded to 1 mm; Infinity for rows outside the circle, and for those whose
 * flag in `matches` is 0.
 */
export function measureRows(
  { boxes, rows, wkb }: Partition,
  { lon, lat, radiusMeters }: Circle,
  matches?: Uint8Array,
): Float64Array {
  const origin = originAt(lon, lat);
  const metersOf = createDistanceMeter(origin);
  const reachMeters = radiusMeters + SLACK_METERS;
  const reachDeg = reachMeters / METERS_PER_DEGREE;
  const distances = new Float64Array(rows).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row < rows; row++) {
    if (matches?.[row] === 0) continue;
    const south = boxes.south[row] as number;
    const north = boxes.north[row] as number;
    // no arithmetic for most rows of a large partition
    if (south > lat + reachDeg || north < lat - reachDeg) continue;
    const west = boxes.west[row] as number;
    const east = boxes.east[row] as number;
    const isPoint = west === east && south === north;
    if (!isPoint && nearestInBBox(origin, [west, south, east, north]) > reachMeters) continue;
    // the box of a point is the point
    const exactMeters = isPoint ? metersTo(origin, west, south, Math.cos(toRadians(south))) : metersOf(wkb(row));
    const meters = roundToMillimeter(exactMeters);
    if (meters <= radiusMeters) distances[row] = meters;
  }
  return distances;
}

/** Whether a row's box reaches into the circle; what tells of rows whose geometry is not at hand. */
export function reachOf({ lon, lat, radiusMeters }: Circle): (partition: Partition, row: number) => boolean {
  const origin = originAt(lon, lat);
  return ({ boxes: { west, south, east, north } }, row) => {
    const box = [west[row] ?? 0, south[row] ?? 0, east[row] ?? 0, north[row] ?? 0] as const;
    return nearestInBBox(origin, box) <= radiusMeters + SLACK_METERS;
  };
}
