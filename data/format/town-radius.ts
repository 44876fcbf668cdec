/** The radius of a search around a town. @module */
import type { BBox } from "./bbox.ts";
import { METERS_PER_DEGREE } from "./sphere.ts";

/** Radius of a search around a town whose outline is unknown. The limits below are for others. */
const TOWN_RADIUS_METERS = 3000;
const MIN_RADIUS_METERS = 500;
const MAX_RADIUS_METERS = 50_000;

/**
 * Returns a radius in metres for a search around the middle of a town's box: half of the longer side, rounded to one
 * significant digit, from 500 m to 50 km. 3 km without a box.
 */
export function radiusOf(bbox: BBox | undefined): number {
  if (!bbox) return TOWN_RADIUS_METERS;
  const [west, south, east, north] = bbox;
  const width = (east < west ? east - west + 360 : east - west) * Math.cos((((south + north) / 2) * Math.PI) / 180);
  const meters = (Math.max(width, north - south) / 2) * METERS_PER_DEGREE;
  const rounded = Number(meters.toPrecision(1));
  return Math.min(MAX_RADIUS_METERS, Math.max(MIN_RADIUS_METERS, rounded));
}
