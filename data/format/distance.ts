/**
 * Distance from a position to a geometry. All distances come from this module, so that they round equally.
 *
 * @module
 */
import { isInRing } from "./even-odd.ts";
import { EARTH_RADIUS_METERS, METERS_PER_DEGREE, metersTo, type Origin, toRadians } from "./sphere.ts";
import { createPathReader, type PathKind, type TakePath } from "./wkb-paths.ts";

/** A geometry as a function: calls `take` for each of its paths, as `createPathReader` does. */
export type PathSource = (take: TakePath) => void;

/**
 * Returns a function that measures metres from the origin to the nearest position of a geometry (WKB, TWKB, fine point
 * or paths): not rounded, 0 inside a polygon, Infinity for an empty geometry. Edges are straight in longitude and
 * latitude, holes are outside. The function throws for a damaged geometry.
 */
export function createDistanceMeter(origin: Origin): (geometry: Uint8Array | PathSource) => number {
  // The antimeridian is both 180 and -180.
  const lons = Math.abs(origin.lon) === 180 ? [-180, 180] : [origin.lon];
  const isInside = lons.map(() => false);
  let meters = new Float64Array(1024);
  let cosines = new Float64Array(1024);
  let best = Number.POSITIVE_INFINITY;

  function measureVertices(coordinates: Float64Array, count: number): void {
    if (meters.length < count) {
      meters = new Float64Array(2 * count);
      cosines = new Float64Array(2 * count);
    }
    for (let i = 0; i < count; i++) {
      const lat = at(coordinates, 2 * i + 1);
      const cosLat = Math.cos(toRadians(lat));
      const distance = metersTo(origin, at(coordinates, 2 * i), lat, cosLat);
      meters[i] = distance;
      cosines[i] = cosLat;
      if (distance < best) best = distance;
    }
  }

  function measureEdges(coordinates: Float64Array, count: number): void {
    for (let i = 1; i < count; i++) {
      const lon1 = at(coordinates, 2 * i - 2);
      const lat1 = at(coordinates, 2 * i - 1);
      const lon2 = at(coordinates, 2 * i);
      const lat2 = at(coordinates, 2 * i + 1);
      const meters1 = at(meters, i - 1);
      const meters2 = at(meters, i);
      // No edge is longer than the sum of its extents. This prunes most edges.
      const maxCosine = lat1 * lat2 <= 0 ? 1 : Math.max(at(cosines, i - 1), at(cosines, i));
      const maxLength = METERS_PER_DEGREE * (Math.abs(lat2 - lat1) + maxCosine * Math.abs(lon2 - lon1));
      if (meters1 + meters2 - maxLength >= 2 * best) continue;
      best = nearestOnEdge(origin, { lon1, lat1, lon2, lat2, meters1, meters2 }, best);
    }
  }

  function take(kind: PathKind, coordinates: Float64Array, count: number): void {
    if (best === 0) return;
    if (kind === "outer") settlePolygon();
    measureVertices(coordinates, count);
    if (kind === "point") return;
    measureEdges(coordinates, count);
    if (kind === "line") return;
    for (let i = 0; i < lons.length; i++) {
      if (isInRing(coordinates, count, at(lons, i), origin.lat)) isInside[i] = !isInside[i];
    }
  }

  function settlePolygon(): void {
    if (isInside.includes(true)) best = 0;
    isInside.fill(false);
  }

  const readPaths = createPathReader(take);
  return (geometry) => {
    best = Number.POSITIVE_INFINITY;
    isInside.fill(false);
    if (typeof geometry === "function") geometry(take);
    else readPaths(geometry);
    settlePolygon();
    return best;
  };
}

/** Reads an index that the caller knows to be in range. */
function at(numbers: ArrayLike<number>, index: number): number {
  return numbers[index] as number;
}

/**
 * Maximum length that is solved at once. In this range the distance along an edge has one minimum. The error is of the
 * order of the fourth power of the length, less than 0.1 mm.
 */
const MAX_SEGMENT_DEG = 0.25;
/**
 * Newton's last step along the edge. The error of the distance is the square of it, or the step itself if the
 * distance is zero.
 */
const LAST_STEP_METERS = 1e-6;
const MAX_STEPS = 60;

/** An edge in degrees, with the distances of its ends. */
interface Edge {
  readonly lon1: number;
  readonly lat1: number;
  readonly lon2: number;
  readonly lat2: number;
  readonly meters1: number;
  readonly meters2: number;
}

/**
 * Metres from the origin to the nearest position of the edge, at most `best`. An edge never crosses the antimeridian:
 * from 179 to -179 it goes the long way. Edges are straight in longitude and latitude.
 * @see https://www.rfc-editor.org/rfc/rfc7946#section-3.1.1
 */
function nearestOnEdge(origin: Origin, edge: Edge, best: number): number {
  const { lon1, lat1, lon2, lat2, meters1, meters2 } = edge;
  const nearest = Math.min(best, meters1, meters2);
  if ((meters1 + meters2 - maxLengthMeters(edge)) / 2 >= nearest) return nearest;
  if (Math.abs(lon2 - lon1) > MAX_SEGMENT_DEG || Math.abs(lat2 - lat1) > MAX_SEGMENT_DEG) {
    const lon = (lon1 + lon2) / 2;
    const lat = (lat1 + lat2) / 2;
    const meters = metersTo(origin, lon, lat, Math.cos(toRadians(lat)));
    const first = { lon1, lat1, lon2: lon, lat2: lat, meters1, meters2: meters };
    const second = { lon1: lon, lat1: lat, lon2, lat2, meters1: meters, meters2 };
    // The nearer half first: it probably prunes the other.
    if (meters1 <= meters2) return nearestOnEdge(origin, second, nearestOnEdge(origin, first, nearest));
    return nearestOnEdge(origin, first, nearestOnEdge(origin, second, nearest));
  }
  return Math.min(nearest, nearestOnSegment(origin, lon1, lat1, lon2 - lon1, lat2 - lat1));
}

/** Upper bound of the edge's length: the sum of its extents, with longitude at the latitude nearest to the equator. */
function maxLengthMeters({ lon1, lat1, lon2, lat2 }: Edge): number {
  const minLat = lat1 * lat2 <= 0 ? 0 : Math.min(Math.abs(lat1), Math.abs(lat2));
  const eastMeters = toRadians(lon2 - lon1) * Math.cos(toRadians(minLat));
  const northMeters = toRadians(lat2 - lat1);
  return EARTH_RADIUS_METERS * Math.sqrt(eastMeters * eastMeters + northMeters * northMeters);
}

/**
 * Finds the maximum of the distance's cosine on a short edge. Infinity if it is at an end, which the caller compares.
 */
function nearestOnSegment(origin: Origin, lon: number, lat: number, lonSpan: number, latSpan: number): number {
  const originLat = toRadians(origin.lat);
  const dLat = toRadians(latSpan);
  const dLon = toRadians(lonSpan);
  const scale = EARTH_RADIUS_METERS * (Math.abs(dLat) + Math.abs(dLon));
  let low = 0;
  let high = 1;
  let t = planarFoot(origin, lon, lat, lonSpan, latSpan);
  for (let step = 0; step < MAX_STEPS; step++) {
    const phi = toRadians(lat + t * latSpan);
    const away = toRadians(lon + t * lonSpan - origin.lon);
    const sinPhi = Math.sin(phi);
    const cosPhi = Math.cos(phi);
    const sinAway = Math.sin(away);
    const cosAway = Math.cos(away);
    const sinHalfAway = Math.sin(away / 2);
    // sin(p) cos(phi) - cos(p) sin(phi) cos(away), in a form without cancellation near the origin.
    const northward = Math.sin(originLat - phi) + 2 * origin.cosLat * sinPhi * sinHalfAway * sinHalfAway;
    const slope = dLat * northward - dLon * origin.cosLat * cosPhi * sinAway;
    if (slope > 0) low = t;
    else high = t;
    if (low === 1 || high === 0) return Number.POSITIVE_INFINITY;
    const cosine = Math.sin(originLat) * sinPhi + origin.cosLat * cosPhi * cosAway;
    const curve =
      -dLat * dLat * cosine +
      2 * dLat * dLon * origin.cosLat * sinPhi * sinAway -
      dLon * dLon * origin.cosLat * cosPhi * cosAway;
    const newton = t - slope / curve;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - t) * scale < LAST_STEP_METERS) break;
    t = next;
  }
  const nearestLat = lat + t * latSpan;
  return metersTo(origin, lon + t * lonSpan, nearestLat, Math.cos(toRadians(nearestLat)));
}

/** The nearest position on a map that is exact at the edge's start: a good start value for Newton's method. */
function planarFoot(origin: Origin, lon: number, lat: number, lonSpan: number, latSpan: number): number {
  const scale = Math.cos(toRadians(lat));
  const eastSpan = lonSpan * scale;
  const east = (origin.lon - lon) * scale;
  const length = eastSpan * eastSpan + latSpan * latSpan;
  if (length === 0) return 0;
  return Math.min(1, Math.max(0, (east * eastSpan + (origin.lat - lat) * latSpan) / length));
}
