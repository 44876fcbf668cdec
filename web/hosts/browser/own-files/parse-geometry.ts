/** Validates geometries from foreign files. @see https://www.rfc-editor.org/rfc/rfc7946#section-3.1 @module */
import {
  type Geometry,
  MAX_GEOMETRY_DEPTH,
  type Position,
  positionsOf,
  readWkb,
} from "../../../../data/format/geometry.ts";

/** Returns the GeoJSON geometry, or undefined if it is invalid. Its positions may be outside the globe. */
export function parseGeometry(value: unknown, depth = 0): Geometry | undefined {
  if (typeof value !== "object" || value === null || depth > MAX_GEOMETRY_DEPTH) return undefined;
  const { type, coordinates, geometries } = value as Readonly<Record<string, unknown>>;
  switch (type) {
    case "Point": {
      const position = positionOf(coordinates);
      return position && { type, coordinates: position };
    }
    case "MultiPoint":
    case "LineString": {
      const positions = listOf(coordinates, positionOf);
      return positions && { type, coordinates: positions };
    }
    case "MultiLineString":
    case "Polygon": {
      const lines = listOf(coordinates, lineOf);
      return lines && { type, coordinates: lines };
    }
    case "MultiPolygon": {
      const polygons = listOf(coordinates, (polygon) => listOf(polygon, lineOf));
      return polygons && { type, coordinates: polygons };
    }
    case "GeometryCollection": {
      const members = listOf(geometries, (member) => parseGeometry(member, depth + 1));
      return members && { type, geometries: members };
    }
    default:
      return undefined;
  }
}

/** Returns the geometry of WKB bytes, or undefined if they are invalid. */
export function geometryOfWkb(value: unknown): Geometry | undefined {
  if (!(value instanceof Uint8Array)) return undefined;
  try {
    return readWkb(value);
  } catch {
    return undefined;
  }
}

/** Whether all positions are valid degrees of longitude and latitude. */
export function isOnGlobe(geometry: Geometry): boolean {
  let count = 0;
  for (const [lon, lat] of positionsOf(geometry)) {
    count++;
    if (!(Math.abs(lon) <= 180 && Math.abs(lat) <= 90)) return false;
  }
  return count > 0;
}

const lineOf = (value: unknown) => listOf(value, positionOf);

function positionOf(value: unknown): Position | undefined {
  if (!Array.isArray(value)) return undefined;
  const [lon, lat] = value as unknown[];
  return typeof lon === "number" && typeof lat === "number" ? [lon, lat] : undefined;
}

function listOf<T>(value: unknown, parse: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: T[] = [];
  for (const one of value) {
    const item = parse(one);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}
