/**
 * Tiny WKB: whole numbers of 1e-7 degrees, each position as its step from the one before. A third to a fifth of WKB's bytes.
 * @see https://github.com/TWKB/Specification/blob/master/twkb.md
 * @module
 */
import { GEOMETRY_CODES, type Geometry, type Position } from "./geometry.ts";

const DECIMALS = 7;
/** Positions per degree. */
export const TWKB_SCALE = 10 ** DECIMALS;
/** Kind in the low half, the zigzag of the decimals in the high one. */
const PRECISION_BITS = (2 * DECIMALS) << 4;

class InexactError extends Error {}

/** The geometry as TWKB; undefined when one of its coordinates is not a whole number of 1e-7 degrees. */
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

function writeGeometry(bytes: number[], geometry: Geometry): void {
  let lastX = 0;
  let lastY = 0;
  const position = ([lon, lat]: Position): void => {
    const x = wholeOf(lon);
    const y = wholeOf(lat);
    pushSigned(bytes, x - lastX);
    pushSigned(bytes, y - lastY);
    lastX = x;
    lastY = y;
  };
  const list = <T>(items: readonly T[], write: (item: T) => void): void => {
    pushUnsigned(bytes, items.length);
    for (const item of items) write(item);
  };
  const line = (positions: readonly Position[]): void => list(positions, position);
  const polygon = (rings: readonly (readonly Position[])[]): void => list(rings, line);

  // no box, no size, no ids
  bytes.push(PRECISION_BITS | GEOMETRY_CODES[geometry.type], 0);
  switch (geometry.type) {
    case "Point":
      position(geometry.coordinates);
      break;
    case "LineString":
    case "MultiPoint":
      line(geometry.coordinates);
      break;
    case "Polygon":
    case "MultiLineString":
      polygon(geometry.coordinates);
      break;
    case "MultiPolygon":
      list(geometry.coordinates, polygon);
      break;
    case "GeometryCollection":
      list(geometry.geometries, (member) => writeGeometry(bytes, member));
      break;
  }
}

function wholeOf(degrees: number): number {
  const whole = Math.round(degrees * TWKB_SCALE);
  if (whole / TWKB_SCALE !== degrees) throw new InexactError();
  return whole;
}

function pushSigned(bytes: number[], value: number): void {
  // twice the longitudes' range does not fit 32 bits
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
