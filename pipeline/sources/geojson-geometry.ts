/**
 * GeoJSON geometries from an untrusted value.
 * @module
 */
import type { Geometry, Position } from "../../data/format/geometry.ts";
import { objectOf } from "./geojson.ts";

/** The geometry; heights are left out. Throws when it is none. */
export function parseGeometry(value: unknown): Geometry {
  const { type, coordinates, geometries } = objectOf(value);
  switch (type) {
    case "Point":
      // An empty point is an empty array; WKB writes it with NaN.
      return { type, coordinates: isEmptyArray(coordinates) ? [Number.NaN, Number.NaN] : position(coordinates) };
    case "LineString":
    case "MultiPoint":
      return { type, coordinates: list(coordinates, position) };
    case "Polygon":
    case "MultiLineString":
      return { type, coordinates: list(coordinates, (part) => list(part, position)) };
    case "MultiPolygon":
      return { type, coordinates: list(coordinates, (part) => list(part, (ring) => list(ring, position))) };
    case "GeometryCollection":
      return { type, geometries: list(geometries, parseGeometry) };
    default:
      throw new Error(`geometry of type ${String(type)}`);
  }
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function list<T>(value: unknown, parse: (item: unknown) => T): T[] {
  if (!Array.isArray(value)) throw new Error(`coordinates hold ${JSON.stringify(value)}, expected an array`);
  return value.map(parse);
}

function position(value: unknown): Position {
  const [lon, lat] = Array.isArray(value) ? value : [];
  if (typeof lon === "number" && typeof lat === "number") return [lon, lat];
  throw new Error(`position is ${JSON.stringify(value)}, expected two numbers`);
}
