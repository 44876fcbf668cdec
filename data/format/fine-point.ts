/**
 * Fine points: a Point with eight decimals, as many programs write them. TWKB has at most seven.
 * @module
 */
import type { Geometry, Position } from "./geometry.ts";
import { writeTwkb } from "./twkb.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

/** First byte of a fine point. WKB starts with 0 or 1, a table of parts with 2, TWKB with 225 or more. */
export const FINE_POINT = 3;

/** Units per degree. */
const SCALE = 1e8;

/**
 * Returns the geometry as TWKB, or a Point as a fine point if TWKB would round it. Undefined if the result would still
 * be rounded.
 */
export function writeShort(geometry: Geometry): Uint8Array | undefined {
  return writeTwkb(geometry) ?? (geometry.type === "Point" ? writeFinePoint(geometry.coordinates) : undefined);
}

/** Returns the position as a fine point; undefined if a coordinate is not a multiple of 1e-8 degrees. */
function writeFinePoint(position: Position): Uint8Array | undefined {
  const [x, y] = position.map((degrees) => Math.round(degrees * SCALE)) as [number, number];
  if (x / SCALE !== position[0] || y / SCALE !== position[1]) return undefined;
  // integers have no -0
  if (Object.is(x, -0) || Object.is(y, -0)) return undefined;
  const [tenX, tenY] = [Math.floor(x / 10), Math.floor(y / 10)];
  const out = new ByteWriter();
  out.raw(Uint8Array.of(FINE_POINT));
  out.signed(tenX);
  out.signed(tenY);
  out.raw(Uint8Array.of(10 * (x - 10 * tenX) + y - 10 * tenY));
  return out.bytes();
}

/** Returns longitude and latitude in degrees of a fine point. Throws if its digits are invalid or bytes follow. */
export function readFinePoint(bytes: Uint8Array): Position {
  const reader = new ByteReader(bytes.subarray(1));
  const [x, y, digits] = [reader.signed(), reader.signed(), reader.varint()];
  if (digits > 99 || reader.left > 0)
    throw new Error(`a fine point has digits ${digits} and ${reader.left} more bytes`);
  return [(10 * x + Math.floor(digits / 10)) / SCALE, (10 * y + (digits % 10)) / SCALE];
}
