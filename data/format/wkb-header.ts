/** What the first bytes of a WKB geometry say. */
export interface WkbHeader {
  /** Type code as in `GEOMETRY_CODES`. Not checked: other numbers are possible. */
  readonly kind: number;
  readonly littleEndian: boolean;
  /** Numbers per position. */
  readonly dimensions: number;
  /** Bytes of the header. */
  readonly sizeBytes: number;
}

/**
 * Reads the header of WKB or EWKB at an offset in bytes. Accepts Z and M flags of ISO and EWKB, and skips an SRID.
 * Throws `RangeError` if the bytes end.
 */
export function readWkbHeader(view: DataView, offset: number): WkbHeader {
  const littleEndian = view.getUint8(offset) === 1;
  const code = view.getUint32(offset + 1, littleEndian);
  const iso = Math.floor((code & 0xffff) / 1000);
  const hasZ = (code & 0x80000000) !== 0 || iso === 1 || iso === 3;
  const hasM = (code & 0x40000000) !== 0 || iso === 2 || iso === 3;
  return {
    kind: (code & 0xffff) % 1000,
    littleEndian,
    dimensions: 2 + Number(hasZ) + Number(hasM),
    sizeBytes: (code & 0x20000000) !== 0 ? 9 : 5,
  };
}

/** Returns the SRID in EWKB; undefined for WKB without one. */
export function sridOf(wkb: Uint8Array): number | undefined {
  if (wkb.length < 9) return undefined;
  const view = new DataView(wkb.buffer, wkb.byteOffset, wkb.byteLength);
  const { littleEndian, sizeBytes } = readWkbHeader(view, 0);
  return sizeBytes === 9 ? view.getUint32(5, littleEndian) : undefined;
}
