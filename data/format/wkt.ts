/**
 * Reads and writes geometries as well-known text (WKT). Reads untrusted text in one pass, without heights and measures.
 *
 * @see https://www.ogc.org/standards/sfa
 * @module
 */
import { type Geometry, MAX_GEOMETRY_DEPTH, type Position } from "./geometry.ts";

const KINDS: Readonly<Record<string, Geometry["type"]>> = {
  POINT: "Point",
  LINESTRING: "LineString",
  POLYGON: "Polygon",
  MULTIPOINT: "MultiPoint",
  MULTILINESTRING: "MultiLineString",
  MULTIPOLYGON: "MultiPolygon",
  GEOMETRYCOLLECTION: "GeometryCollection",
};
const SRID = /^\s*SRID=\d+;/i;
/** The dimensions may follow the kind without a space. */
const KIND = /^([A-Z]+?)(?:ZM|Z|M)?$/;
const DIMENSIONS = /^(?:ZM|Z|M)$/;
const NUMBER = /^[-+.\dE]+$/;

/**
 * Returns the geometry of a text, longitude first. Ignores an SRID. Undefined if the text is invalid, contains `EMPTY`,
 * or is nested deeper than `MAX_GEOMETRY_DEPTH`.
 */
export function parseWkt(text: string): Geometry | undefined {
  try {
    const tokens = readTokens(text.replace(SRID, ""));
    const geometry = geometryAt(tokens, 0);
    if (tokens.peek() !== undefined) throw new WktError("unexpected text at the end");
    return geometry;
  } catch (error) {
    if (error instanceof WktError) return undefined;
    throw error;
  }
}

class WktError extends Error {}

interface Tokens {
  peek(): string | undefined;
  next(): string | undefined;
}

function readTokens(text: string): Tokens {
  const token = /[(),]|[^(),\s]+/g;
  const read = () => token.exec(text)?.[0].toUpperCase();
  let ahead = read();
  return {
    peek: () => ahead,
    next() {
      const now = ahead;
      if (now !== undefined) ahead = read();
      return now;
    },
  };
}

function geometryAt(tokens: Tokens, depth: number): Geometry {
  const word = tokens.next() ?? "";
  const type = KINDS[word] ?? KINDS[KIND.exec(word)?.[1] ?? ""];
  if (DIMENSIONS.test(tokens.peek() ?? "")) tokens.next();
  switch (type) {
    case "Point": {
      const [position, ...others] = listAt(tokens, positionAt);
      if (!position || others.length > 0) throw new WktError("not a point");
      return { type, coordinates: position };
    }
    case "LineString":
      return { type, coordinates: lineAt(tokens) };
    // Both forms are in use: with and without parentheses around each position.
    case "MultiPoint":
      return { type, coordinates: listAt(tokens, pointAt) };
    case "Polygon":
    case "MultiLineString":
      return { type, coordinates: linesAt(tokens) };
    case "MultiPolygon":
      return { type, coordinates: listAt(tokens, linesAt) };
    case "GeometryCollection":
      if (depth === MAX_GEOMETRY_DEPTH) throw new WktError("too deep");
      return { type, geometries: listAt(tokens, () => geometryAt(tokens, depth + 1)) };
    default:
      throw new WktError("no kind of geometry");
  }
}

const lineAt = (tokens: Tokens): Position[] => listAt(tokens, positionAt);
const linesAt = (tokens: Tokens): Position[][] => listAt(tokens, lineAt);

function pointAt(tokens: Tokens): Position {
  if (tokens.peek() !== "(") return positionAt(tokens);
  expect(tokens, "(");
  const position = positionAt(tokens);
  expect(tokens, ")");
  return position;
}

function listAt<T>(tokens: Tokens, read: (tokens: Tokens) => T): T[] {
  const items: T[] = [];
  expect(tokens, "(");
  do items.push(read(tokens));
  while (isNext(tokens, ","));
  expect(tokens, ")");
  return items;
}

function positionAt(tokens: Tokens): Position {
  const [lon, lat] = [numberAt(tokens), numberAt(tokens)];
  while (NUMBER.test(tokens.peek() ?? "")) numberAt(tokens);
  return [lon, lat];
}

function numberAt(tokens: Tokens): number {
  const word = tokens.next() ?? "";
  const number = NUMBER.test(word) ? Number(word) : Number.NaN;
  if (Number.isNaN(number)) throw new WktError("not a number");
  return number;
}

function isNext(tokens: Tokens, wanted: string): boolean {
  if (tokens.peek() !== wanted) return false;
  tokens.next();
  return true;
}

function expect(tokens: Tokens, wanted: string): void {
  if (!isNext(tokens, wanted)) throw new WktError(`no ${wanted}`);
}

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
