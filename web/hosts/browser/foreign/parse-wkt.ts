/**
 * Reads well-known text, as tables carry it; heights and measures are not kept.
 * @see https://www.ogc.org/standards/sfa
 * @module
 */
import type { Geometry, Position } from "../../../../data/format/geometry.ts";

const KINDS: Readonly<Record<string, Geometry["type"]>> = {
  POINT: "Point",
  LINESTRING: "LineString",
  POLYGON: "Polygon",
  MULTIPOINT: "MultiPoint",
  MULTILINESTRING: "MultiLineString",
  MULTIPOLYGON: "MultiPolygon",
  GEOMETRYCOLLECTION: "GeometryCollection",
};
const HEAD = /^\s*(?:SRID=\d+;\s*)?([A-Za-z]+)\s*(?:ZM|Z|M)?\s*(?=\()/;
const NUMBERS = /[^(),\s]+/g;

type Nested = readonly (Nested | Position)[];

/** The geometry; undefined for text that is none, and for an empty one. */
export function parseWkt(text: string): Geometry | undefined {
  const type = KINDS[HEAD.exec(text)?.[1]?.toUpperCase() ?? ""];
  const body = text.replace(HEAD, "").trim();
  if (!type || !isBalanced(body)) return undefined;
  try {
    return type === "GeometryCollection" ? collectionOf(body) : geometryOf(type, nestedOf(body));
  } catch (error) {
    if (error instanceof WktError) return undefined;
    throw error;
  }
}

class WktError extends Error {}

function collectionOf(body: string): Geometry {
  const geometries = partsOf(body).map((part) => {
    const member = parseWkt(part);
    if (!member) throw new WktError(part);
    return member;
  });
  return { type: "GeometryCollection", geometries };
}

function geometryOf(type: Exclude<Geometry["type"], "GeometryCollection">, nested: Nested): Geometry {
  switch (type) {
    case "Point":
      return { type, coordinates: positionAt(nested) };
    case "LineString":
      return { type, coordinates: lineAt(nested) };
    // both ways of writing it are about: with parentheses around each position, and without
    case "MultiPoint":
      return { type, coordinates: nested.map((item) => (isPosition(item) ? item : positionAt(item))) };
    case "Polygon":
    case "MultiLineString":
      return { type, coordinates: nested.map((line) => lineAt(line as Nested)) };
    case "MultiPolygon":
      return { type, coordinates: nested.map((rings) => (rings as Nested).map((line) => lineAt(line as Nested))) };
  }
}

function positionAt(nested: Nested | Position): Position {
  const [first, ...others] = nested;
  if (!Array.isArray(first) || !isPosition(first as Nested) || others.length > 0) throw new WktError("not a point");
  return first as unknown as Position;
}

function lineAt(nested: Nested): Position[] {
  if (!Array.isArray(nested) || !nested.every((item) => isPosition(item))) throw new WktError("not a line");
  return nested as unknown as Position[];
}

function isPosition(item: Nested | Position): item is Position {
  return typeof item[0] === "number";
}

/** Parentheses as lists, what stands between commas as positions. */
function nestedOf(body: string): Nested {
  return partsOf(body).map((part) => {
    if (part.startsWith("(")) return nestedOf(part);
    const [lon, lat] = (part.match(NUMBERS) ?? []).map(Number);
    if (lon === undefined || lat === undefined || Number.isNaN(lon + lat)) throw new WktError(part);
    return [lon, lat] as const;
  });
}

/** What the outer parentheses hold, cut at the commas between. */
function partsOf(body: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 1];
  for (let i = 0; i < body.length; i++) {
    if (body[i] === "(") depth++;
    if (body[i] === ")") depth--;
    if (depth === 0 || (depth === 1 && body[i] === ",")) {
      parts.push(body.slice(start, i).trim());
      start = i + 1;
    }
  }
  return parts;
}

/** Whether the outer parentheses close at the end, and no sooner. */
function isBalanced(body: string): boolean {
  let depth = 0;
  for (let i = 0; i < body.length; i++) {
    if (body[i] === "(") depth++;
    if (body[i] === ")") depth--;
    if (depth <= 0 && i < body.length - 1) return false;
  }
  return body.length > 1 && depth === 0;
}
