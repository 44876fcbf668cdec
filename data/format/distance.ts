/**
 * Distance from a position to a geometry: one function for every executor, so that no two of them round differently.
 * @module
 */
import { nearestOnEdge } from "./edge-distance.ts";
import { isInRing } from "./even-odd.ts";
import { METERS_PER_DEGREE, metersTo, type Origin, toRadians } from "./sphere.ts";
import { createPathReader, type PathKind } from "./wkb-paths.ts";

/**
 * A function that gives the metres from the origin to the nearest position of a WKB geometry, not rounded: 0 inside a
 * polygon, Infinity for an empty geometry. Edges are straight in longitude and latitude; holes are outside; polygons
 * are told inside from outside by the even-odd rule, each by itself.
 */
export function createDistanceMeter(origin: Origin): (wkb: Uint8Array) => number {
  // the two spellings of the antimeridian are one
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
      // no edge is longer than its extents together; most are pruned here
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
  return (wkb) => {
    best = Number.POSITIVE_INFINITY;
    isInside.fill(false);
    readPaths(wkb);
    settlePolygon();
    return best;
  };
}

/** The number at an index the caller knows to be in range. */
function at(numbers: ArrayLike<number>, index: number): number {
  return numbers[index] as number;
}
