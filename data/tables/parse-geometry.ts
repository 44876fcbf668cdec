/** GeoJSON geometries from other programs, checked; a fault names what is wrong. @see https://www.rfc-editor.org/rfc/rfc7946#section-3.1 @module */
import { type Geometry, MAX_GEOMETRY_DEPTH, type Position } from "../format/geometry.ts";
import { GeometryFault, NO_GEOMETRY, type RawGeometry } from "./raw-table.ts";

/**
 * Returns the geometry of parsed GeoJSON, with open rings closed. Returns a fault if it is wrong or empty,
 * `NO_GEOMETRY` for null. Positions may be outside of the globe.
 */
export function parseGeometry(value: unknown): RawGeometry {
  if (value === null || value === undefined) return NO_GEOMETRY;
  try {
    const geometry = geometryOf(value, 0);
    return isEmptyGeometry(geometry) ? new GeometryFault("empty geometry", geometry.type) : geometry;
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    throw error;
  }
}

/** Returns whether the value is a geometry, and not a fault. */
export function isGeometry(value: RawGeometry): value is Geometry {
  return !(value instanceof GeometryFault);
}

class Fault extends Error {
  readonly fault: GeometryFault;

  constructor(reason: string, detail: string) {
    super(reason);
    this.fault = new GeometryFault(reason, detail);
  }
}

function geometryOf(value: unknown, depth: number): Geometry {
  if (typeof value !== "object" || value === null) throw new Fault("not a geometry", shown(value));
  if (depth > MAX_GEOMETRY_DEPTH)
    throw new Fault("not a geometry", `collections nested deeper than ${MAX_GEOMETRY_DEPTH}`);
  const { type, coordinates, geometries } = value as Readonly<Record<string, unknown>>;
  switch (type) {
    case "Point":
      return { type, coordinates: positionOf(coordinates) };
    case "MultiPoint":
      return { type, coordinates: listOf(coordinates, positionOf) };
    case "LineString":
      return { type, coordinates: lineOf(coordinates) };
    case "MultiLineString":
      return { type, coordinates: listOf(coordinates, lineOf) };
    case "Polygon":
      return { type, coordinates: listOf(coordinates, ringOf) };
    case "MultiPolygon":
      return { type, coordinates: listOf(coordinates, (polygon) => listOf(polygon, ringOf)) };
    case "GeometryCollection":
      return { type, geometries: listOf(geometries, (member) => geometryOf(member, depth + 1)) };
    default:
      throw new Fault("geometry type not supported", shown(type));
  }
}

/** Returns the geometry of another parser after the checks of `parseGeometry`, or its fault. */
export function checkGeometry(geometry: Geometry): RawGeometry {
  return parseGeometry(geometry);
}

function lineOf(value: unknown): Position[] {
  const line = listOf(value, positionOf);
  if (line.length === 1) throw new Fault("line with one position", shown(value));
  return line;
}

function ringOf(value: unknown): Position[] {
  const ring = listOf(value, positionOf);
  const [first, last] = [ring[0], ring.at(-1)];
  if (first && last && (first[0] !== last[0] || first[1] !== last[1])) ring.push(first);
  if (ring.length > 0 && ring.length < 4) throw new Fault("ring with fewer than 4 positions", shown(value));
  return ring;
}

function positionOf(value: unknown): Position {
  if (!Array.isArray(value)) throw new Fault("position without numbers", shown(value));
  const [lon, lat] = [numberOf(value[0]), numberOf(value[1])];
  if (!Number.isFinite(lon) || !Number.isFinite(lat)) throw new Fault("position without numbers", shown(value));
  return [lon, lat];
}

function numberOf(value: unknown): number {
  if (typeof value === "string") return /^\s*[-+]?[\d.]+(e[-+]?\d+)?\s*$/i.test(value) ? Number(value) : Number.NaN;
  return typeof value === "number" ? value : Number.NaN;
}

function listOf<T>(value: unknown, parse: (item: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new Fault("not a geometry", shown(value));
  return value.map(parse);
}

function isEmptyGeometry(geometry: Geometry): boolean {
  if (geometry.type === "GeometryCollection") return geometry.geometries.every(isEmptyGeometry);
  return (geometry.coordinates as readonly unknown[]).flat(3).length === 0;
}

/** Returns a value as text for a message, cut to 60 characters. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
