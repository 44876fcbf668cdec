/**
 * Reads geometries as points and records store them: TWKB, a fine point, or WKB if both would round a coordinate.
 *
 * @module
 */
import { FINE_POINT, readFinePoint } from "./fine-point.ts";
import { type Geometry, MAX_GEOMETRY_DEPTH, type Position, readWkb } from "./geometry.ts";
import { TWKB_SCALE } from "./twkb.ts";
import { ByteReader } from "./varint.ts";

/** The only TWKB header in use: seven decimals, no box, no sizes, no ids. */
const PRECISION = 14;

/** Returns the geometry of stored bytes. Throws if they are malformed, or are a table of parts. */
export function readStoredGeometry(bytes: Uint8Array): Geometry {
  // WKB starts with its byte order, 0 or 1.
  const [start = 0] = bytes;
  if (start === FINE_POINT) return { type: "Point", coordinates: readFinePoint(bytes) };
  return start > 1 ? readTwkb(new ByteReader(bytes), 0) : readWkb(bytes);
}

function readTwkb(reader: ByteReader, depth: number): Geometry {
  const [header = 0, flags] = reader.raw(2);
  if (header >> 4 !== PRECISION || flags !== 0) {
    throw new Error(`TWKB with precision ${header >> 4} and flags ${flags}, expected ${PRECISION} and 0`);
  }
  if (depth > MAX_GEOMETRY_DEPTH) throw new Error(`TWKB geometries nested deeper than ${MAX_GEOMETRY_DEPTH}`);
  let [x, y] = [0, 0];
  const position = (): Position => {
    x += reader.signed();
    y += reader.signed();
    return [x / TWKB_SCALE, y / TWKB_SCALE];
  };
  const line = () => reader.list(position);
  const lines = () => reader.list(line);
  switch (header & 0x0f) {
    case 1:
      return { type: "Point", coordinates: position() };
    case 2:
      return { type: "LineString", coordinates: line() };
    case 3:
      return { type: "Polygon", coordinates: lines() };
    case 4:
      return { type: "MultiPoint", coordinates: line() };
    case 5:
      return { type: "MultiLineString", coordinates: lines() };
    case 6:
      return { type: "MultiPolygon", coordinates: reader.list(lines) };
    case 7:
      return { type: "GeometryCollection", geometries: reader.list(() => readTwkb(reader, depth + 1)) };
    default:
      throw new Error(`TWKB geometry of kind ${header & 0x0f}, expected 1 to 7`);
  }
}
