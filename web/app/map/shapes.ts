/**
 * Searches and records as shapes to draw.
 * @module
 */
import type * as GeoJSON from "geojson";
import type { LngLatBoundsLike } from "maplibre-gl";
import { bboxOf } from "../../../data/format/geometry.ts";
import type { Feature } from "../../engine/query.ts";
import type { Centre } from "../state/search.ts";
import type { Found } from "../state/session.ts";

const EARTH_RADIUS_METERS = 6_371_008.8;
const CIRCLE_POINTS = 128;
/** Web Mercator ends there. */
const MAX_LAT = 85.05;

type Bounds = [west: number, south: number, east: number, north: number];

export const NO_FEATURES: GeoJSON.FeatureCollection = { type: "FeatureCollection", features: [] };

/** The circle and its centre. A circle that reaches a pole has no outline on this map. */
export function areaShape(centre: Centre | undefined, radiusMeters: number): GeoJSON.FeatureCollection {
  if (!centre) return NO_FEATURES;
  const features = [feature({ type: "Point", coordinates: [centre.lon, centre.lat] })];
  const ring = circleRing(centre, radiusMeters);
  if (ring.every(([, lat = 0]) => Math.abs(lat) < MAX_LAT))
    features.push(feature({ type: "Polygon", coordinates: [ring] }));
  return { type: "FeatureCollection", features };
}

/** The records of a page, numbered as in the list; the feature's id is its place on the page. */
export function resultShapes(found: Found | undefined): GeoJSON.FeatureCollection {
  if (!found) return NO_FEATURES;
  const first = found.search.page * found.search.limit + 1;
  return {
    type: "FeatureCollection",
    features: found.records.map(({ id, geometry }, index) => ({
      type: "Feature",
      id: index,
      geometry: geometry as GeoJSON.Geometry,
      properties: { record: id, number: first + index },
    })),
  };
}

/** The box to show for a search: its circle, else its records; undefined when there is neither. */
export function boundsOf(found: Found): LngLatBoundsLike | undefined {
  const { centre, radiusMeters } = found.search;
  if (centre) return circleBounds(centre, radiusMeters);
  return found.records.map(recordBounds).reduce(union, undefined);
}

/** The box of one record. */
export function recordBounds({ geometry }: Feature): Bounds | undefined {
  const box = bboxOf(geometry);
  return box && [...box];
}

export function circleBounds({ lon, lat }: Centre, radiusMeters: number): Bounds {
  const reach = degrees(Math.min(radiusMeters / EARTH_RADIUS_METERS, Math.PI));
  const wide = Math.min(180, reach / Math.max(0.05, Math.cos(radians(lat))));
  return [lon - wide, Math.max(-MAX_LAT, lat - reach), lon + wide, Math.min(MAX_LAT, lat + reach)];
}

function union(a: Bounds | undefined, b: Bounds | undefined): Bounds | undefined {
  if (!a || !b) return a ?? b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** Positions at the distance in all directions; longitudes run on beyond 180, so that the ring stays whole. */
function circleRing({ lon, lat }: Centre, radiusMeters: number): GeoJSON.Position[] {
  const angle = radiusMeters / EARTH_RADIUS_METERS;
  const ring: GeoJSON.Position[] = [];
  for (let i = 0; i <= CIRCLE_POINTS; i++) {
    const bearing = (2 * Math.PI * i) / CIRCLE_POINTS;
    const sinLat =
      Math.sin(radians(lat)) * Math.cos(angle) + Math.cos(radians(lat)) * Math.sin(angle) * Math.cos(bearing);
    const east = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(radians(lat)),
      Math.cos(angle) - Math.sin(radians(lat)) * sinLat,
    );
    ring.push([lon + degrees(east), degrees(Math.asin(sinLat))]);
  }
  return ring;
}

function feature(geometry: GeoJSON.Geometry): GeoJSON.Feature {
  return { type: "Feature", properties: {}, geometry };
}

const radians = (angle: number) => (angle * Math.PI) / 180;
const degrees = (angle: number) => (angle * 180) / Math.PI;
