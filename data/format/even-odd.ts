/** Point in polygon by the even-odd rule, planar: inside, a ray eastward crosses an odd number of edges. @module */

/** Whether the ray eastward from a position crosses the edge. */
export function crossesEdge(lon: number, lat: number, x1: number, y1: number, x2: number, y2: number): boolean {
  return y1 > lat !== y2 > lat && lon < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1;
}

/** Whether a position lies in the ring of `count` positions, longitude and latitude in turn. */
export function isInRing(ring: Float64Array, count: number, lon: number, lat: number): boolean {
  let isInside = false;
  for (let i = 2; i < 2 * count; i += 2) {
    const [x1, y1] = [ring[i - 2] as number, ring[i - 1] as number];
    if (crossesEdge(lon, lat, x1, y1, ring[i] as number, ring[i + 1] as number)) isInside = !isInside;
  }
  return isInside;
}
