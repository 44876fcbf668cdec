/**
 * GeoJSON geometries, read from WKB.
 * @see https://www.ogc.org/standards/sfa WKB; https://www.rfc-editor.org/rfc/rfc7946 GeoJSON
 * @module
 */

import type { BBox } from "./bbox.ts";
import { readWkbHeader, type WkbHeader } from "./wkb-header.ts";

/** `[longitude, latitude]` in degrees, WGS84. Heights and measures are dropped. */
export type Position = readonly [lon: number, lat: number];

/** A GeoJSON geometry (RFC 7946, section 3.1). */
export type Geometry =
  | { readonly type: "Point"; readonly coordinates: Position }
  | { readonly type: "LineString"; readonly coordinates: readonly Position[] }
  | { readonly type: "Polygon"; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: "MultiPoint"; readonly coordinates: readonly Position[] }
  | { readonly type: "MultiLineString"; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly (readonly Position[])[])[] }
  | { readonly type: "GeometryCollection"; readonly geometries: readonly Geometry[] };

/** Maximum nesting of geometry collections. Real data is not deeper, and deeper data could overflow the stack. */
export const MAX_GEOMETRY_DEPTH = 8;

/**
 * Returns the geometry of WKB or EWKB in either byte order, without heights and measures. Throws if it is cut short,
 * nested more than `MAX_GEOMETRY_DEPTH` deep, or of a kind that GeoJSON lacks.
 */
export function readWkb(wkb: Uint8Array): Geometry {
  try {
    return readGeometry({ view: new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength), offset: 0, depth: 0 });
  } catch (error) {
    if (error instanceof RangeError) throw new Error(`WKB of ${wkb.byteLength} bytes is cut short: ${error.message}`);
    throw error;
  }
}

/** Position of the next value. */
interface WkbCursor {
  readonly view: DataView;
  offset: number;
  /** Number of collections around the next geometry. */
  depth: number;
}

function readGeometry(cursor: WkbCursor): Geometry {
  const header = readWkbHeader(cursor.view, cursor.offset);
  cursor.offset += header.sizeBytes;
  const deepest = header.kind === 7 ? MAX_GEOMETRY_DEPTH - 1 : MAX_GEOMETRY_DEPTH;
  if (header.kind >= 4 && cursor.depth > deepest) {
    throw new Error(`WKB geometries nested deeper than ${MAX_GEOMETRY_DEPTH}`);
  }
  switch (header.kind) {
    case 1:
      return { type: "Point", coordinates: readPosition(cursor, header) };
    case 2:
      return { type: "LineString", coordinates: readPositions(cursor, header) };
    case 3:
      return { type: "Polygon", coordinates: readRings(cursor, header) };
    case 4:
      return { type: "MultiPoint", coordinates: readMembers(cursor, header).map((m) => only(m, "Point").coordinates) };
    case 5:
      return {
        type: "MultiLineString",
        coordinates: readMembers(cursor, header).map((m) => only(m, "LineString").coordinates),
      };
    case 6:
      return {
        type: "MultiPolygon",
        coordinates: readMembers(cursor, header).map((m) => only(m, "Polygon").coordinates),
      };
    case 7:
      return { type: "GeometryCollection", geometries: readMembers(cursor, header) };
    default:
      throw new Error(`WKB geometry of kind ${header.kind}, expected 1 to 7`);
  }
}

function readPosition(cursor: WkbCursor, { littleEndian, dimensions }: WkbHeader): Position {
  const { view, offset } = cursor;
  const position: Position = [view.getFloat64(offset, littleEndian), view.getFloat64(offset + 8, littleEndian)];
  cursor.offset += 8 * dimensions;
  return position;
}

const readPositions = (cursor: WkbCursor, header: WkbHeader): Position[] => readList(cursor, header, readPosition);
const readRings = (cursor: WkbCursor, header: WkbHeader): Position[][] => readList(cursor, header, readPositions);

function readMembers(cursor: WkbCursor, header: WkbHeader): Geometry[] {
  cursor.depth++;
  const members = readList(cursor, header, readGeometry);
  cursor.depth--;
  return members;
}

function readList<T>(cursor: WkbCursor, header: WkbHeader, read: (cursor: WkbCursor, header: WkbHeader) => T): T[] {
  const length = cursor.view.getUint32(cursor.offset, header.littleEndian);
  cursor.offset += 4;
  // A damaged count must not allocate memory: the smallest member has four bytes.
  if (length * 4 > cursor.view.byteLength - cursor.offset) throw new RangeError(`${length} members do not fit`);
  const items: T[] = [];
  for (let i = 0; i < length; i++) items.push(read(cursor, header));
  return items;
}

function only<T extends Geometry["type"]>(geometry: Geometry, type: T): Extract<Geometry, { type: T }> {
  if (geometry.type !== type) throw new Error(`WKB collection holds a ${geometry.type}, expected ${type}`);
  return geometry as Extract<Geometry, { type: T }>;
}

/** Yields every position of the geometry, in order: longitude, then latitude, in degrees. */
export function* positionsOf(geometry: Geometry): Generator<Position> {
  switch (geometry.type) {
    case "Point":
      yield geometry.coordinates;
      return;
    case "LineString":
    case "MultiPoint":
      yield* geometry.coordinates;
      return;
    case "Polygon":
    case "MultiLineString":
      for (const part of geometry.coordinates) yield* part;
      return;
    case "MultiPolygon":
      for (const polygon of geometry.coordinates) for (const ring of polygon) yield* ring;
      return;
    case "GeometryCollection":
      for (const member of geometry.geometries) yield* positionsOf(member);
  }
}

/**
 * Returns the least and greatest longitude and latitude of the geometry's positions, not rounded; undefined if there
 * are none. The box never crosses the antimeridian.
 */
export function bboxOf(geometry: Geometry): BBox | undefined {
  let west = Number.POSITIVE_INFINITY;
  let south = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (const [lon, lat] of positionsOf(geometry)) {
    west = Math.min(west, lon);
    south = Math.min(south, lat);
    east = Math.max(east, lon);
    north = Math.max(north, lat);
  }
  return west <= east && south <= north ? [west, south, east, north] : undefined;
}

/** Type codes of WKB and TWKB. */
export const GEOMETRY_CODES = {
  Point: 1,
  LineString: 2,
  Polygon: 3,
  MultiPoint: 4,
  MultiLineString: 5,
  MultiPolygon: 6,
  GeometryCollection: 7,
} as const satisfies Readonly<Record<Geometry["type"], number>>;
