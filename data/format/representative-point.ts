/**
 * The representative position of a geometry. It decides the country, the geohash, and longitude and latitude in CSV.
 * @module
 */
import { crossesEdge } from "./even-odd.ts";
import type { Geometry, Position } from "./geometry.ts";

type Line = readonly Position[];
type Polygon = readonly Line[];

/**
 * Returns one position of the geometry: of a line the middle by length; of a polygon the centroid if it is inside,
 * otherwise the middle of the widest part at half height. Of several lines or polygons the largest counts, of points
 * the first, of a collection the first member with a position. Planar, in degrees. Undefined without positions.
 */
export function representativePoint(geometry: Geometry): Position | undefined {
  switch (geometry.type) {
    case "Point":
      return geometry.coordinates;
    case "MultiPoint":
      return geometry.coordinates[0];
    case "LineString":
      return middleOf(geometry.coordinates);
    case "MultiLineString": {
      const line = largest(geometry.coordinates, lengthOf);
      return line && middleOf(line);
    }
    case "Polygon":
      return pointInside(geometry.coordinates);
    case "MultiPolygon": {
      const polygon = largest(geometry.coordinates, (rings) => Math.abs(signedArea(rings[0] ?? [])));
      return polygon && pointInside(polygon);
    }
    case "GeometryCollection":
      for (const member of geometry.geometries) {
        const point = representativePoint(member);
        if (point) return point;
      }
      return undefined;
  }
}

/**
 * Returns true if the position is in the polygon (its outer ring, then holes) by the planar even-odd rule. On an edge,
 * either answer is possible.
 */
export function polygonContains(rings: Polygon, [x, y]: Position): boolean {
  let isInside = false;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [x1, y1] = ring[i - 1] as Position;
      const [x2, y2] = ring[i] as Position;
      if (crossesEdge(x, y, x1, y1, x2, y2)) isInside = !isInside;
    }
  }
  return isInside;
}

function largest<T>(items: readonly T[], sizeOf: (item: T) => number): T | undefined {
  let best: T | undefined;
  let bestSize = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const size = sizeOf(item);
    if (size > bestSize) {
      best = item;
      bestSize = size;
    }
  }
  return best;
}

function lengthOf(line: Line): number {
  let length = 0;
  for (let i = 1; i < line.length; i++) length += stepLength(line, i);
  return length;
}

function stepLength(line: Line, end: number): number {
  const [x1, y1] = line[end - 1] as Position;
  const [x2, y2] = line[end] as Position;
  return Math.sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1));
}

function middleOf(line: Line): Position | undefined {
  let left = lengthOf(line) / 2;
  for (let i = 1; i < line.length; i++) {
    const step = stepLength(line, i);
    if (step > 0 && left <= step) {
      const [x1, y1] = line[i - 1] as Position;
      const [x2, y2] = line[i] as Position;
      const share = left / step;
      return [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
    }
    left -= step;
  }
  return line[0];
}

function signedArea(ring: Line): number {
  const origin = ring[0];
  if (!origin) return 0;
  let twice = 0;
  for (let i = 1; i < ring.length; i++) {
    const [x1, y1] = ring[i - 1] as Position;
    const [x2, y2] = ring[i] as Position;
    twice += (x1 - origin[0]) * (y2 - origin[1]) - (x2 - origin[0]) * (y1 - origin[1]);
  }
  return twice / 2;
}

function pointInside(rings: Polygon): Position | undefined {
  const outer = rings[0];
  const origin = outer?.[0];
  if (!outer || !origin) return undefined;
  let area = 0;
  let x = 0;
  let y = 0;
  for (const [index, ring] of rings.entries()) {
    const sign = index === 0 ? Math.sign(signedArea(ring)) : -Math.sign(signedArea(ring));
    for (let i = 1; i < ring.length; i++) {
      const [x1, y1] = [(ring[i - 1] as Position)[0] - origin[0], (ring[i - 1] as Position)[1] - origin[1]];
      const [x2, y2] = [(ring[i] as Position)[0] - origin[0], (ring[i] as Position)[1] - origin[1]];
      const cross = sign * (x1 * y2 - x2 * y1);
      area += cross;
      x += cross * (x1 + x2);
      y += cross * (y1 + y2);
    }
  }
  if (area > 0) {
    const centroid: Position = [origin[0] + x / (3 * area), origin[1] + y / (3 * area)];
    if (polygonContains(rings, centroid)) return centroid;
  }
  return middleOfWidestInterval(rings) ?? origin;
}

function middleOfWidestInterval(rings: Polygon): Position | undefined {
  const lats = (rings[0] ?? []).map(([, lat]) => lat);
  const lat = (lats.reduce((a, b) => Math.min(a, b)) + lats.reduce((a, b) => Math.max(a, b))) / 2;
  const crossings: number[] = [];
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [x1, y1] = ring[i - 1] as Position;
      const [x2, y2] = ring[i] as Position;
      if (y1 > lat !== y2 > lat) crossings.push(x1 + ((x2 - x1) * (lat - y1)) / (y2 - y1));
    }
  }
  crossings.sort((a, b) => a - b);
  let best: Position | undefined;
  let widest = 0;
  for (let i = 1; i < crossings.length; i += 2) {
    const [west, east] = [crossings[i - 1] as number, crossings[i] as number];
    if (east - west > widest) {
      widest = east - west;
      best = [(west + east) / 2, lat];
    }
  }
  return best;
}
