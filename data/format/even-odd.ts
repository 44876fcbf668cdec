/**
 * Point in polygon by the even-odd rule: a position is inside if a ray eastward from it crosses an odd number of edges.
 * Edges are straight in longitude and latitude.
 * @module
 */

/** Returns true if the ray eastward from a position crosses the edge from (x1, y1) to (x2, y2). All are in degrees. */
export function crossesEdge(lon: number, lat: number, x1: number, y1: number, x2: number, y2: number): boolean {
  return y1 > lat !== y2 > lat && lon < ((x2 - x1) * (lat - y1)) / (y2 - y1) + x1;
}

/**
 * Returns true if a position is in a closed ring of `count` positions, with alternating longitude and latitude in
 * degrees. The last position must equal the first. On an edge, either answer is possible.
 */
export function isInRing(ring: Float64Array, count: number, lon: number, lat: number): boolean {
  let isInside = false;
  for (let i = 2; i < 2 * count; i += 2) {
    const [x1, y1] = [ring[i - 2] as number, ring[i - 1] as number];
    if (crossesEdge(lon, lat, x1, y1, ring[i] as number, ring[i + 1] as number)) isInside = !isInside;
  }
  return isInside;
}
