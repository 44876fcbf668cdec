/**
 * Geometries as well-known text.
 * @see https://www.ogc.org/standards/sfa
 * @module
 */
import type { Geometry, Position } from "./geometry.ts";

const position = ([lon, lat]: Position): string => `${lon} ${lat}`;
const list = <T>(items: readonly T[], write: (item: T) => string): string =>
  items.length === 0 ? "EMPTY" : `(${items.map(write).join(", ")})`;
const line = (positions: readonly Position[]): string => list(positions, position);
const lines = (parts: readonly (readonly Position[])[]): string => list(parts, line);

/** Returns the geometry as WKT, longitude first. */
export function writeWkt(geometry: Geometry): string {
  switch (geometry.type) {
    case "Point":
      return `POINT (${position(geometry.coordinates)})`;
    case "LineString":
      return `LINESTRING ${line(geometry.coordinates)}`;
    case "MultiPoint":
      return `MULTIPOINT ${list(geometry.coordinates, (p) => `(${position(p)})`)}`;
    case "Polygon":
      return `POLYGON ${lines(geometry.coordinates)}`;
    case "MultiLineString":
      return `MULTILINESTRING ${lines(geometry.coordinates)}`;
    case "MultiPolygon":
      return `MULTIPOLYGON ${list(geometry.coordinates, lines)}`;
    case "GeometryCollection":
      return `GEOMETRYCOLLECTION ${list(geometry.geometries, writeWkt)}`;
  }
}
