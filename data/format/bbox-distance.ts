/**
 * Minimum and maximum distance from a position to a box. A search skips slices and rows by them.
 *
 * @module
 */
import type { BBox } from "./bbox.ts";
import {
  antipodeOf,
  EARTH_RADIUS_METERS,
  HALF_CIRCUMFERENCE_METERS,
  metersTo,
  type Origin,
  toRadians,
} from "./sphere.ts";

/**
 * Tolerance in metres when a radius is compared with a distance of this module: distances of rows are rounded to 1 mm,
 * and distances to edges are right to 0.1 mm.
 */
export const SLACK_METERS = 0.001;

/**
 * Returns the metres from the origin to the nearest position of the box, 0 if the origin is in the box. The box may
 * cross the antimeridian.
 */
export function nearestInBBox(origin: Origin, [west, south, east, north]: BBox): number {
  const widthDeg = west <= east ? east - west : 360 + east - west;
  const eastOfWestDeg = wrap(origin.lon - west);
  if (eastOfWestDeg <= widthDeg) {
    const lat = Math.min(north, Math.max(south, origin.lat));
    return metersTo(origin, origin.lon, lat, cosOf(lat));
  }
  // The same meridian is nearer at every latitude.
  const lon = eastOfWestDeg - widthDeg < 360 - eastOfWestDeg ? east : west;
  return nearestOnMeridian(origin, lon, south, north);
}

/** Returns the metres from the origin to the farthest position of the box. */
export function farthestInBBox(origin: Origin, box: BBox): number {
  return HALF_CIRCUMFERENCE_METERS - nearestInBBox(antipodeOf(origin), box);
}

/** Returns the area of the box on the sphere in square metres. */
export function areaOf([west, south, east, north]: BBox): number {
  const widthDeg = west <= east ? east - west : 360 + east - west;
  const height = Math.sin(toRadians(north)) - Math.sin(toRadians(south));
  return EARTH_RADIUS_METERS * EARTH_RADIUS_METERS * toRadians(widthDeg) * height;
}

function nearestOnMeridian(origin: Origin, lon: number, south: number, north: number): number {
  const atSouth = metersTo(origin, lon, south, cosOf(south));
  const atNorth = metersTo(origin, lon, north, cosOf(north));
  const nearest = Math.min(atSouth, atNorth);
  const sinLat = Math.sin(toRadians(origin.lat));
  const foot = Math.atan2(sinLat, origin.cosLat * Math.cos(toRadians(lon - origin.lon))) / toRadians(1);
  if (foot <= south || foot >= north) return nearest;
  return Math.min(nearest, metersTo(origin, lon, foot, cosOf(foot)));
}

/** Degrees eastward, 0 to 360. */
function wrap(degrees: number): number {
  const rest = degrees % 360;
  return rest < 0 ? rest + 360 : rest;
}

function cosOf(lat: number): number {
  return Math.cos(toRadians(lat));
}
