/**
 * Filters the candidates of a box for peers that have no search by distance.
 * @module
 */
import type { CircleQuestion } from "./question.ts";

/** A row of the peers' files, or a part of its columns. */
export interface PeerRow {
  readonly id: string;
  readonly lon: number;
  readonly lat: number;
  /** All categories with a comma before and after each. */
  readonly categories?: string | null;
}

const EARTH_RADIUS_METERS = 6_371_008.8;
const METERS_PER_DEGREE = (Math.PI * EARTH_RADIUS_METERS) / 180;
const RADIANS = Math.PI / 180;

/** Box around the circle: west, south, east, north in degrees. The circles are far from poles and antimeridian. */
export function boxAround({
  lon,
  lat,
  radiusMeters,
}: Pick<CircleQuestion, "lon" | "lat" | "radiusMeters">): readonly [number, number, number, number] {
  const dLat = radiusMeters / METERS_PER_DEGREE;
  const dLon = dLat / Math.cos((Math.abs(lat) + dLat) * RADIANS);
  return [lon - dLon, lat - dLat, lon + dLon, lat + dLat];
}

/** Great-circle distance in metres, to the millimetre. */
function distanceMeters(a: CircleQuestion, b: PeerRow): number {
  const sinLat = Math.sin(((b.lat - a.lat) * RADIANS) / 2);
  const sinLon = Math.sin(((b.lon - a.lon) * RADIANS) / 2);
  const h = sinLat ** 2 + Math.cos(a.lat * RADIANS) * Math.cos(b.lat * RADIANS) * sinLon ** 2;
  return Math.round(2 * EARTH_RADIUS_METERS * Math.asin(Math.sqrt(h)) * 1000) / 1000;
}

/** The same distance as SQL over columns `lon` and `lat`. */
export function distanceSql({ lon, lat }: CircleQuestion): string {
  const h = `sin(radians(lat - ${lat}) / 2) ^ 2 + cos(radians(${lat})) * cos(radians(lat)) * sin(radians(lon - ${lon}) / 2) ^ 2`;
  return `round(${2 * EARTH_RADIUS_METERS} * asin(sqrt(${h})), 3)`;
}

/** Returns the requested page of rows in the circle, and their total number. */
export function pageOfCircle<T extends PeerRow>(
  rows: Iterable<T>,
  question: CircleQuestion,
): { readonly rows: readonly T[]; readonly total: number } {
  const found: { row: T; meters: number }[] = [];
  for (const row of rows) {
    if (question.category !== undefined && !row.categories?.includes(`,${question.category},`)) continue;
    const meters = distanceMeters(question, row);
    if (meters <= question.radiusMeters) found.push({ row, meters });
  }
  found.sort((a, b) => a.meters - b.meters || (a.row.id < b.row.id ? -1 : 1));
  const start = question.page * question.limit;
  return { rows: found.slice(start, start + question.limit).map(({ row }) => row), total: found.length };
}
