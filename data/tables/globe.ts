/** Geometries on the globe: rounding errors clamped, longitudes wrapped, and parts beyond the antimeridian cut. @see https://www.rfc-editor.org/rfc/rfc7946#section-3.1.9 @module */
import { bboxOf, type Geometry, type Position } from "../format/geometry.ts";
import { GeometryFault, type RawGeometry } from "./raw-table.ts";

/** Degrees that are a rounding error. */
const TOLERANCE = 1e-5;
/** Longitudes beyond it are not degrees. */
const MAX_LONGITUDE = 540;

/**
 * Returns the geometry with longitudes from -180 to 180 degrees, cut at the antimeridian if it crosses it. Returns a
 * fault if it has no positions, or positions with a latitude beyond 90 or a longitude beyond 540 degrees.
 */
export function onGlobe(geometry: Geometry): RawGeometry {
  const box = bboxOf(geometry);
  if (!box) return new GeometryFault("empty geometry", geometry.type);
  const [west, south, east, north] = box;
  if (![west, south, east, north].every(Number.isFinite))
    return new GeometryFault("position without numbers", geometry.type);
  if (south < -90 - TOLERANCE || north > 90 + TOLERANCE)
    return new GeometryFault("latitude beyond 90", String(south < -90 ? south : north));
  if (west < -MAX_LONGITUDE || east > MAX_LONGITUDE)
    return new GeometryFault("longitude beyond 180", String(west < -180 ? west : east));
  if (west >= -180 && east <= 180 && south >= -90 && north <= 90) return geometry;
  const clamped = mapPositions(geometry, ([lon, lat]) => [
    Math.abs(lon) <= 180 + TOLERANCE ? clamp(lon, 180) : lon,
    clamp(lat, 90),
  ]);
  return cut(clamped);
}

const clamp = (value: number, limit: number): number => Math.min(limit, Math.max(-limit, value));

/** Returns a copy of the geometry with `map` applied to each position. */
export function mapPositions(geometry: Geometry, map: (position: Position) => Position): Geometry {
  const line = (positions: readonly Position[]) => positions.map(map);
  const lines = (parts: readonly (readonly Position[])[]) => parts.map(line);
  switch (geometry.type) {
    case "Point":
      return { type: geometry.type, coordinates: map(geometry.coordinates) };
    case "MultiPoint":
    case "LineString":
      return { type: geometry.type, coordinates: line(geometry.coordinates) };
    case "Polygon":
    case "MultiLineString":
      return { type: geometry.type, coordinates: lines(geometry.coordinates) };
    case "MultiPolygon":
      return { type: geometry.type, coordinates: geometry.coordinates.map(lines) };
    case "GeometryCollection":
      return { type: geometry.type, geometries: geometry.geometries.map((member) => mapPositions(member, map)) };
  }
}

const wrap = ([lon, lat]: Position): Position => [
  lon > 180 || lon < -180 ? ((((lon + 180) % 360) + 360) % 360) - 180 : lon,
  lat,
];

/** Lines and polygons in the worlds that they reach, each part moved to the one from -180 to 180. */
function cut(geometry: Geometry): Geometry {
  switch (geometry.type) {
    case "Point":
    case "MultiPoint":
      return mapPositions(geometry, wrap);
    case "LineString":
    case "MultiLineString": {
      const lines = geometry.type === "LineString" ? [geometry.coordinates] : geometry.coordinates;
      const parts = lines.flatMap((line) => eachWorld(line, (from, to) => clipLine(line, from, to)).flat());
      const [only] = parts;
      return parts.length === 1 && only
        ? { type: "LineString", coordinates: only }
        : { type: "MultiLineString", coordinates: parts };
    }
    case "Polygon":
    case "MultiPolygon": {
      const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
      const parts = polygons.flatMap((rings) =>
        eachWorld(rings[0] ?? [], (from, to) => rings.map((ring) => clipRing(ring, from, to))),
      );
      const whole = parts.map((rings) => rings.filter((ring) => ring.length >= 4)).filter((rings) => rings.length > 0);
      const [only] = whole;
      return whole.length === 1 && only
        ? { type: "Polygon", coordinates: only }
        : { type: "MultiPolygon", coordinates: whole };
    }
    case "GeometryCollection":
      return { type: geometry.type, geometries: geometry.geometries.map(cut) };
  }
}

type Line = readonly Position[];

/** Parts in each world that the line reaches; a part that only touches the border is in the other world. */
function eachWorld(line: Line, clip: (from: number, to: number) => Position[][]): Position[][][] {
  const longitudes = line.map(([lon]) => lon);
  const [west, east] = [Math.min(...bounds(longitudes)), Math.max(...bounds(longitudes))];
  const parts: Position[][][] = [];
  for (let world = Math.floor((west + 180) / 360); world * 360 - 180 <= east; world++) {
    const [from, to] = [world * 360 - 180, world * 360 + 180];
    if (east === from && west < from) continue;
    const moved = clip(from, to).map((part) =>
      part.map(([lon, lat]): Position => [clamp(lon - world * 360, 180), lat]),
    );
    if (moved.some((part) => part.length > 0)) parts.push(moved);
  }
  return parts;
}

function bounds(numbers: readonly number[]): [number, number] {
  return numbers.reduce<[number, number]>(
    ([low, high], one) => [Math.min(low, one), Math.max(high, one)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

function crossing([lon1, lat1]: Position, [lon2, lat2]: Position, at: number): Position {
  return [at, lat1 + ((at - lon1) / (lon2 - lon1)) * (lat2 - lat1)];
}

function clipLine(line: Line, from: number, to: number): Position[][] {
  const parts: Position[][] = [];
  let part: Position[] = [];
  for (const [index, end] of line.entries()) {
    const start = line[index - 1];
    if (!start) continue;
    let [a, b] = [start, end];
    const isOutside = Math.max(a[0], b[0]) < from || Math.min(a[0], b[0]) > to;
    if (isOutside) continue;
    for (const limit of [from, to]) {
      const isBeyond = ([lon]: Position) => (limit === from ? lon < limit : lon > limit);
      if (isBeyond(a)) a = crossing(start, end, limit);
      if (isBeyond(b)) b = crossing(start, end, limit);
    }
    if (part.length === 0) part.push(a);
    part.push(b);
    if (b !== end) {
      parts.push(part);
      part = [];
    }
  }
  if (part.length > 0) parts.push(part);
  return parts.filter((one) => one.length > 1 && one.some((p) => p[0] !== one[0]?.[0] || p[1] !== one[0]?.[1]));
}

/** By Sutherland and Hodgman; a ring that leaves and comes back several times runs along the border. */
function clipRing(ring: Line, from: number, to: number): Position[] {
  let positions: Position[] = ring.slice(0, -1);
  for (const limit of [from, to]) {
    const isInside = ([lon]: Position) => (limit === from ? lon >= limit : lon <= limit);
    const kept: Position[] = [];
    for (const [index, end] of positions.entries()) {
      const start = positions.at(index - 1) ?? end;
      if (isInside(start) !== isInside(end)) kept.push(crossing(start, end, limit));
      if (isInside(end)) kept.push(end);
    }
    positions = kept;
  }
  const [first] = positions;
  if (!first || positions.length < 3 || positions.every(([lon]) => lon === first[0])) return [];
  return [...positions, first];
}
