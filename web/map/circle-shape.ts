/**
 * Circles on the sphere as shapes on the flat map, also across the antimeridian and at the poles.
 * @module
 */
import type * as GeoJSON from "geojson";
import { EARTH_RADIUS_METERS, HALF_CIRCUMFERENCE_METERS, metersBetween, toRadians } from "../../data/format/sphere.ts";
import type { Circle } from "../engine/index.ts";

export type Centre = Pick<Circle, "lon" | "lat">;

const CIRCLE_POINTS = 180;
const MAX_LAT = 85.05;

const NEAREST_POLE = 89.99999;

export type Bounds = [west: number, south: number, east: number, north: number];

/**
 * Returns the inside of the circle and, as a feature of its own, its edge: where the inside reaches a pole, the edge of the map
 * is no edge of the circle.
 */
export function circleShapes(centre: Centre, radiusMeters: number): GeoJSON.Feature[] {
  const ring = circleRing(centre, Math.min(radiusMeters, HALF_CIRCUMFERENCE_METERS));
  const inside: GeoJSON.Polygon = { type: "Polygon", coordinates: insideOf(ring, centre, radiusMeters) };
  return [
    { type: "Feature", properties: { part: "inside" }, geometry: inside },
    { type: "Feature", properties: { part: "edge" }, geometry: { type: "LineString", coordinates: ring } },
  ];
}

/**
 * Returns [lon, lat] in degrees at a distance in metres and a bearing (degrees clockwise from north). The longitude may exceed
 * 180.
 */
export function positionAt({ lon, lat }: Centre, distanceMeters: number, bearingDegrees: number): [number, number] {
  const angle = distanceMeters / EARTH_RADIUS_METERS;
  const [up, bearing] = [toRadians(lat), toRadians(bearingDegrees)];
  const sinLat = Math.sin(up) * Math.cos(angle) + Math.cos(up) * Math.sin(angle) * Math.cos(bearing);
  const east = Math.atan2(Math.sin(bearing) * Math.sin(angle) * Math.cos(up), Math.cos(angle) - Math.sin(up) * sinLat);
  return [lon + degrees(east), degrees(Math.asin(Math.max(-1, Math.min(1, sinLat))))];
}

/** Returns the bounds of the circle in degrees. Longitudes may exceed 180. Latitudes end at the edge of the map. */
export function circleBounds({ lon, lat }: Centre, radiusMeters: number): Bounds {
  const reach = degrees(Math.min(radiusMeters / EARTH_RADIUS_METERS, Math.PI));
  const wide = Math.min(180, reach / Math.max(0.05, Math.cos(toRadians(lat))));
  return [lon - wide, Math.max(-MAX_LAT, lat - reach), lon + wide, Math.min(MAX_LAT, lat + reach)];
}

/**
 * Returns positions of the circle in all directions. Each is less than half a turn from the one before it, so the ring is
 * continuous.
 */
function circleRing({ lon: middle, lat: exact }: Centre, radiusMeters: number): [number, number][] {
  // At a pole all directions are equal, and longitudes are noise.
  const centre = { lon: middle, lat: Math.max(-NEAREST_POLE, Math.min(NEAREST_POLE, exact)) };
  const ring: [number, number][] = [];
  for (let i = 0; i <= CIRCLE_POINTS; i++) {
    const [lon, lat] = positionAt(centre, radiusMeters, (360 * i) / CIRCLE_POINTS);
    const before = ring.at(-1)?.[0] ?? lon;
    ring.push([lon + 360 * Math.round((before - lon) / 360), lat]);
  }
  return ring;
}

function insideOf(ring: [number, number][], { lon, lat }: Centre, radiusMeters: number): [number, number][][] {
  const hasNorth = metersBetween({ lon, lat }, { lon, lat: 90 }) < radiusMeters;
  const hasSouth = metersBetween({ lon, lat }, { lon, lat: -90 }) < radiusMeters;
  if (!hasNorth && !hasSouth) return [ring];
  if (hasNorth && hasSouth) {
    // The rest of the globe is a circle around the opposite position.
    const middle = ring.reduce((sum, [x]) => sum + x, 0) / ring.length;
    return [frame(middle - 180, middle + 180), ring];
  }
  const pole = hasNorth ? 90 : -90;
  const [first, last] = [ring[0]?.[0] ?? lon, ring.at(-1)?.[0] ?? lon];
  return [[...ring, [last, pole], [first, pole], ...ring.slice(0, 1)]];
}

function frame(west: number, east: number): [number, number][] {
  return [
    [west, -90],
    [east, -90],
    [east, 90],
    [west, 90],
    [west, -90],
  ];
}

const degrees = (angle: number) => (angle * 180) / Math.PI;
