/**
 * Converts well-known text to GeoJSON the simple way: brackets become lists.
 * @module
 */
import { expect } from "./expect.ts";
import { type Json, parseJson } from "./json.ts";

const TYPES: Readonly<Record<string, string>> = {
  POINT: "Point",
  LINESTRING: "LineString",
  POLYGON: "Polygon",
  MULTIPOINT: "MultiPoint",
  MULTILINESTRING: "MultiLineString",
  MULTIPOLYGON: "MultiPolygon",
};

/** Converts WKT to a GeoJSON geometry. */
export function geometryOfWkt(wkt: string): Json {
  const [, name = "", body = ""] = /^\s*([A-Z]+)\s*(\(.*\))\s*$/s.exec(wkt) ?? [];
  const type = TYPES[name];
  if (type === undefined) throw expect.mismatch("geometry", wkt, "well-known text");
  const positions = body.replace(/(-?[\d.]+(?:e[+-]?\d+)?)\s+(-?[\d.]+(?:e[+-]?\d+)?)/gi, "[$1,$2]");
  const coordinates = parseJson(positions.replaceAll("(", "[").replaceAll(")", "]"));
  return { type, coordinates: unwrap(type, coordinates) };
}

/** WKT has extra brackets around single positions. */
function unwrap(type: string, coordinates: Json): Json {
  if (!Array.isArray(coordinates)) return coordinates;
  if (type === "Point") return coordinates[0] ?? null;
  return type === "MultiPoint"
    ? coordinates.map((item) => (Array.isArray(item?.[0]) ? (item[0] ?? null) : item))
    : coordinates;
}
