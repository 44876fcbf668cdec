/**
 * Tiny WKB: integers of 1e-7 degrees, each position as the difference from the previous one. A third to a fifth of
 * WKB's bytes.
 * @see https://github.com/TWKB/Specification/blob/master/twkb.md
 * @module
 */
import { GEOMETRY_CODES, type Geometry, type Position } from "./geometry.ts";

const DECIMALS = 7;
/** Units per degree. */
export const TWKB_SCALE = 10 ** DECIMALS;
/** The high four bits of the first byte of TWKB: the zigzag of seven decimals. The low four bits are the kind. */
export const TWKB_PRECISION_BITS = (2 * DECIMALS) << 4;

class InexactError extends Error {}

/**
 * Returns the geometry as TWKB, longitude first. Undefined if a coordinate is not a multiple of 1e-7 degrees, or is -0.
 */
export function writeTwkb(geometry: Geometry): Uint8Array | undefined {
  const bytes: number[] = [];
  try {
    writeGeometry(bytes, geometry);
  } catch (error) {
    if (error instanceof InexactError) return undefined;
    throw error;
  }
  return Uint8Array.from(bytes);
}

/** The output, and the previous position. */
interface TwkbWriter {
  readonly bytes: number[];
  x: number;
  y: number;
}

function writeGeometry(bytes: number[], geometry: Geometry): void {
  const writer: TwkbWriter = { bytes, x: 0, y: 0 };
  // No box, no size, no ids.
  bytes.push(TWKB_PRECISION_BITS | GEOMETRY_CODES[geometry.type], 0);
  switch (geometry.type) {
    case "Point":
      writePosition(writer, geometry.coordinates);
      break;
    case "LineString":
    case "MultiPoint":
      writeLine(writer, geometry.coordinates);
      break;
    case "Polygon":
    case "MultiLineString":
      writeLines(writer, geometry.coordinates);
      break;
    case "MultiPolygon":
      writeList(writer, geometry.coordinates, writeLines);
      break;
    case "GeometryCollection":
      // Differences start again with each member.
      writeList(writer, geometry.geometries, (_, member) => writeGeometry(bytes, member));
      break;
  }
}

function writePosition(writer: TwkbWriter, [lon, lat]: Position): void {
  const [x, y] = [wholeOf(lon), wholeOf(lat)];
  pushSigned(writer.bytes, x - writer.x);
  pushSigned(writer.bytes, y - writer.y);
  writer.x = x;
  writer.y = y;
}

function writeLine(writer: TwkbWriter, positions: readonly Position[]): void {
  writeList(writer, positions, writePosition);
}

function writeLines(writer: TwkbWriter, lines: readonly (readonly Position[])[]): void {
  writeList(writer, lines, writeLine);
}

function writeList<T>(writer: TwkbWriter, items: readonly T[], write: (writer: TwkbWriter, item: T) => void): void {
  pushUnsigned(writer.bytes, items.length);
  for (const item of items) write(writer, item);
}

function wholeOf(degrees: number): number {
  const whole = Math.round(degrees * TWKB_SCALE);
  // Integers have no -0.
  if (whole / TWKB_SCALE !== degrees || Object.is(degrees, -0)) throw new InexactError();
  return whole;
}

function pushSigned(bytes: number[], value: number): void {
  // Twice the range of longitudes exceeds 32 bits.
  pushUnsigned(bytes, value >= 0 ? 2 * value : -2 * value - 1);
}

function pushUnsigned(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}
