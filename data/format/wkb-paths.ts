/**
 * Visits the paths of a geometry in WKB or TWKB, or of a fine point, without creating objects for positions.
 *
 * @see https://www.ogc.org/standards/sfa
 * @see https://github.com/TWKB/Specification/blob/master/twkb.md
 * @module
 */
import { FINE_POINT, readFinePoint } from "./fine-point.ts";
import { TWKB_SCALE } from "./twkb.ts";
import { unzigzag } from "./varint.ts";
import { readWkbHeader } from "./wkb-header.ts";

/** A point, a line, or a ring of a polygon: `outer` is the first ring of a polygon, `inner` a hole of the last one. */
export type PathKind = "point" | "line" | "outer" | "inner";

/**
 * Takes a path of `count` positions: longitude and latitude in degrees, alternating, from the start of `coordinates`.
 * The array may be longer.
 */
export type TakePath = (kind: PathKind, coordinates: Float64Array, count: number) => void;

/** The zigzag of seven decimals, the only precision in use. */
const TWKB_PRECISION = 14;

/**
 * Returns a reader of WKB, TWKB and fine points that calls `take` for each path that is not empty. The array of
 * coordinates is reused, so `take` must copy what it keeps. The reader throws if the geometry is damaged.
 */
export function createPathReader(take: TakePath): (wkb: Uint8Array) => void {
  let coordinates = new Float64Array(1024);
  let view: DataView = new DataView(new ArrayBuffer(0));
  let offset = 0;

  function path(kind: PathKind, count: number, littleEndian: boolean, dimensions: number): void {
    if (coordinates.length < 2 * count) coordinates = new Float64Array(4 * count);
    for (let i = 0; i < 2 * count; i += 2) {
      coordinates[i] = view.getFloat64(offset, littleEndian);
      coordinates[i + 1] = view.getFloat64(offset + 8, littleEndian);
      offset += 8 * dimensions;
    }
    if (count > 0) take(kind, coordinates, count);
  }

  function readCount(littleEndian: boolean, memberBytes: number): number {
    const count = view.getUint32(offset, littleEndian);
    offset += 4;
    return fitting(count, memberBytes);
  }

  function geometry(): void {
    const { kind, littleEndian, dimensions, sizeBytes } = readWkbHeader(view, offset);
    offset += sizeBytes;
    if (kind === 1) {
      path("point", 1, littleEndian, dimensions);
    } else if (kind === 2) {
      path("line", readCount(littleEndian, 8 * dimensions), littleEndian, dimensions);
    } else if (kind === 3) {
      const rings = readCount(littleEndian, 4);
      for (let i = 0; i < rings; i++) {
        path(i === 0 ? "outer" : "inner", readCount(littleEndian, 8 * dimensions), littleEndian, dimensions);
      }
    } else if (kind >= 4 && kind <= 7) {
      const members = readCount(littleEndian, 9);
      for (let i = 0; i < members; i++) geometry();
    } else {
      throw new Error(`WKB geometry of kind ${kind}, expected 1 to 7`);
    }
  }

  /** Reads a varint. */
  function readWhole(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = view.getUint8(offset++);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** Returns the count. Throws if the remaining bytes are too few for it, because a damaged count must not allocate memory. */
  function fitting(count: number, memberBytes: number): number {
    if (count * memberBytes > view.byteLength - offset) throw new RangeError(`${count} members do not fit`);
    return count;
  }

  const readTinyCount = (memberBytes: number): number => fitting(readWhole(), memberBytes);

  function tinyGeometry(): void {
    const header = view.getUint8(offset);
    const flags = view.getUint8(offset + 1);
    if (header >> 4 !== TWKB_PRECISION || flags !== 0) {
      throw new Error(`TWKB with precision ${header >> 4} and flags ${flags}, expected ${TWKB_PRECISION} and 0`);
    }
    offset += 2;
    let x = 0;
    let y = 0;
    const tinyPath = (kind: PathKind, count: number): void => {
      if (coordinates.length < 2 * count) coordinates = new Float64Array(4 * count);
      for (let i = 0; i < 2 * count; i += 2) {
        x += unzigzag(readWhole());
        y += unzigzag(readWhole());
        coordinates[i] = x / TWKB_SCALE;
        coordinates[i + 1] = y / TWKB_SCALE;
      }
      if (count > 0) take(kind, coordinates, count);
    };
    const each = (memberBytes: number, read: (index: number) => void): void => {
      const count = readTinyCount(memberBytes);
      for (let i = 0; i < count; i++) read(i);
    };
    const rings = (): void => each(1, (i) => tinyPath(i === 0 ? "outer" : "inner", readTinyCount(2)));
    const kind = header & 0x0f;
    if (kind === 1) tinyPath("point", 1);
    else if (kind === 2) tinyPath("line", readTinyCount(2));
    else if (kind === 3) rings();
    else if (kind === 4) each(2, () => tinyPath("point", 1));
    else if (kind === 5) each(1, () => tinyPath("line", readTinyCount(2)));
    else if (kind === 6) each(1, rings);
    else if (kind === 7) each(2, tinyGeometry);
    else throw new Error(`TWKB geometry of kind ${kind}, expected 1 to 7`);
  }

  return (wkb) => {
    view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
    offset = 0;
    try {
      // WKB starts with its byte order, 0 or 1.
      const [start = 0] = wkb;
      if (start === FINE_POINT) {
        coordinates.set(readFinePoint(wkb));
        take("point", coordinates, 1);
      } else if (start > 1) tinyGeometry();
      else geometry();
    } catch (error) {
      if (error instanceof RangeError) throw new Error(`WKB of ${wkb.byteLength} bytes is cut short: ${error.message}`);
      throw error;
    }
  };
}
