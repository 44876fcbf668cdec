/**
 * Walks the paths of a WKB geometry without making objects of its positions.
 * @see https://www.ogc.org/standards/sfa
 * @module
 */

/** A point, an open line, or a ring of a polygon; `outer` begins a polygon, `inner` is a hole of the last one. */
export type PathKind = "point" | "line" | "outer" | "inner";

/** Takes a path of `count` positions: longitude and latitude in turn, from the start of `coordinates`. */
export type TakePath = (kind: PathKind, coordinates: Float64Array, count: number) => void;

/** A reader that calls `take` for each path. The coordinates are the reader's own and hold until the next call. */
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
    // a damaged count must not reserve memory
    if (count * memberBytes > view.byteLength - offset) throw new RangeError(`${count} members do not fit`);
    return count;
  }

  function geometry(): void {
    const littleEndian = view.getUint8(offset) === 1;
    const code = view.getUint32(offset + 1, littleEndian);
    offset += code & 0x20000000 ? 9 : 5;
    const iso = Math.floor((code & 0xffff) / 1000);
    const hasZ = (code & 0x80000000) !== 0 || iso === 1 || iso === 3;
    const hasM = (code & 0x40000000) !== 0 || iso === 2 || iso === 3;
    const dimensions = 2 + Number(hasZ) + Number(hasM);
    const kind = (code & 0xffff) % 1000;
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

  return (wkb) => {
    view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
    offset = 0;
    try {
      geometry();
    } catch (error) {
      if (error instanceof RangeError) throw new Error(`WKB of ${wkb.byteLength} bytes is cut short: ${error.message}`);
      throw error;
    }
  };
}
