/**
 * Distance on a sphere to the nearest point of a geometry with edges straight in longitude and latitude. Slow and
 * simple, because answers are compared with it.
 * @module
 */
import type { Geometry, Position } from "geojson";

export const EARTH_RADIUS_METERS = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Maximum length of an edge part, in degrees, with a single minimum of the distance. */
const PIECE_DEGREES = 1;

/** Steps of golden section search: from a degree to a micrometre. */
const STEPS = 56;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Great-circle distance in metres. */
export function haversineMeters([lon1 = 0, lat1 = 0]: Position, [lon2 = 0, lat2 = 0]: Position): number {
  const sinLat = Math.sin(((lat2 - lat1) * RADIANS) / 2);
  const sinLon = Math.sin(((lon2 - lon1) * RADIANS) / 2);
  const h = sinLat * sinLat + Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * sinLon * sinLon;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Metres from the point to the geometry; 0 inside a polygon. */
export function distanceMeters(point: Position, geometry: Geometry): number {
  switch (geometry.type) {
    case "Point":
      return haversineMeters(point, geometry.coordinates);
    case "MultiPoint":
      return least(geometry.coordinates.map((position) => haversineMeters(point, position)));
    case "LineString":
      return lineMeters(point, geometry.coordinates, Number.POSITIVE_INFINITY);
    case "MultiLineString":
      return linesMeters(point, geometry.coordinates);
    case "Polygon":
      return contains(geometry.coordinates, point) ? 0 : linesMeters(point, geometry.coordinates);
    case "MultiPolygon":
      if (geometry.coordinates.some((rings) => contains(rings, point))) return 0;
      return linesMeters(point, geometry.coordinates.flat());
    case "GeometryCollection":
      return least(geometry.geometries.map((member) => distanceMeters(point, member)));
  }
}

const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);

function linesMeters(point: Position, lines: readonly (readonly Position[])[]): number {
  return lines.reduce((best, line) => Math.min(best, lineMeters(point, line, best)), Number.POSITIVE_INFINITY);
}

/** The minimum of `known` and the distance to the line. */
function lineMeters(point: Position, line: readonly Position[], known: number): number {
  const vertices = line.map((position) => haversineMeters(point, position));
  let best = Math.min(known, least(vertices));
  for (let i = 1; i < line.length; i++) {
    const [start = [], end = []] = [line[i - 1], line[i]];
    const [toStart = 0, toEnd = 0] = [vertices[i - 1], vertices[i]];
    if (lowerBound(toStart + toEnd, start, end) < best) best = edgeMeters(point, start, end, best);
  }
  return best;
}

/** Lower bound of the distance to the edge, by the triangle inequality. */
function lowerBound(toEnds: number, [lon1 = 0, lat1 = 0]: Position, [lon2 = 0, lat2 = 0]: Position): number {
  const longestMeters = (Math.abs(lon2 - lon1) + Math.abs(lat2 - lat1)) * RADIANS * EARTH_RADIUS_METERS;
  return (toEnds - longestMeters) / 2;
}

function edgeMeters(point: Position, start: Position, end: Position, known: number): number {
  const [lon1 = 0, lat1 = 0] = start;
  const [lon2 = 0, lat2 = 0] = end;
  const along = (t: number): number => haversineMeters(point, [lon1 + t * (lon2 - lon1), lat1 + t * (lat2 - lat1)]);
  const pieces = Math.max(1, Math.ceil(Math.max(Math.abs(lon2 - lon1), Math.abs(lat2 - lat1)) / PIECE_DEGREES));
  let best = known;
  for (let i = 0; i < pieces; i++) best = Math.min(best, goldenMinimum(along, i / pieces, (i + 1) / pieces));
  return best;
}

function goldenMinimum(value: (t: number) => number, start: number, end: number): number {
  let [low, high] = [start, end];
  let left = high - GOLDEN * (high - low);
  let right = low + GOLDEN * (high - low);
  let [atLeft, atRight] = [value(left), value(right)];
  for (let i = 0; i < STEPS; i++) {
    if (atLeft < atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - GOLDEN * (high - low);
      atLeft = value(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + GOLDEN * (high - low);
      atRight = value(right);
    }
  }
  return Math.min(atLeft, atRight, value(start), value(end));
}

/** Even-odd rule in the plane of longitude and latitude. */
export function contains(rings: readonly (readonly Position[])[], [lon = 0, lat = 0]: Position): boolean {
  let isInside = false;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [x1 = 0, y1 = 0] = ring[i - 1] ?? [];
      const [x2 = 0, y2 = 0] = ring[i] ?? [];
      if (y1 > lat !== y2 > lat && lon < x1 + ((x2 - x1) * (lat - y1)) / (y2 - y1)) isInside = !isInside;
    }
  }
  return isInside;
}
