/**
 * Great-circle distance on the sphere that the engine uses for all distances.
 * @module
 */

/** Mean radius of the earth (R1 of IUGG). */
export const EARTH_RADIUS_METERS = 6_371_008.8;

/** Half of the sphere's circumference: the maximum distance of two positions. */
export const HALF_CIRCUMFERENCE_METERS = Math.PI * EARTH_RADIUS_METERS;

const RADIANS = Math.PI / 180;

export const METERS_PER_DEGREE = EARTH_RADIUS_METERS * RADIANS;

/** Converts degrees to radians. */
export function toRadians(degrees: number): number {
  return degrees * RADIANS;
}

/** A position to measure from, in degrees WGS84. `cosLat` is the cosine of its latitude. */
export interface Origin {
  readonly lon: number;
  readonly lat: number;
  readonly cosLat: number;
}

/** Returns the origin at a position in degrees. */
export function originAt(lon: number, lat: number): Origin {
  return { lon, lat, cosLat: Math.cos(toRadians(lat)) };
}

/** Returns the opposite position on the sphere. */
export function antipodeOf({ lon, lat, cosLat }: Origin): Origin {
  return { lon: lon > 0 ? lon - 180 : lon + 180, lat: -lat, cosLat };
}

/**
 * Returns the metres from the origin to a position in degrees along the sphere, not rounded. `cosLat` is the cosine of
 * the position's latitude. Exact to about a nanometre near the origin and near its antipode, because distances beyond a
 * quarter circle are measured from the antipode.
 *
 * @see https://en.wikipedia.org/wiki/Haversine_formula
 */
export function metersTo(origin: Origin, lon: number, lat: number, cosLat: number): number {
  const sinHalfLat = Math.sin(((lat - origin.lat) * RADIANS) / 2);
  const halfLon = ((lon - origin.lon) * RADIANS) / 2;
  const sinHalfLon = Math.sin(halfLon);
  const cosines = origin.cosLat * cosLat;
  const haversine = sinHalfLat * sinHalfLat + cosines * sinHalfLon * sinHalfLon;
  if (haversine <= 0.5) return 2 * EARTH_RADIUS_METERS * Math.asin(Math.sqrt(haversine));
  const sinHalfSum = Math.sin(((lat + origin.lat) * RADIANS) / 2);
  const cosHalfLon = Math.cos(halfLon);
  const opposite = sinHalfSum * sinHalfSum + cosines * cosHalfLon * cosHalfLon;
  return HALF_CIRCUMFERENCE_METERS - 2 * EARTH_RADIUS_METERS * Math.asin(Math.sqrt(Math.min(1, opposite)));
}

/** Returns the metres along the sphere between two positions in degrees, not rounded. */
export function metersBetween(a: Pick<Origin, "lon" | "lat">, b: Pick<Origin, "lon" | "lat">): number {
  return metersTo(originAt(a.lon, a.lat), b.lon, b.lat, Math.cos(toRadians(b.lat)));
}

/** Rounds metres to the millimetre, as in results. */
export function roundToMillimeter(meters: number): number {
  return Math.round(meters * 1000) / 1000;
}
