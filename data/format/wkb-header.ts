/** How the numbers of one WKB geometry are written. */
export interface WkbHeader {
  /** 1 to 7, in the order of `Geometry`. */
  readonly kind: number;
  readonly littleEndian: boolean;
  /** Numbers of a position. */
  readonly dimensions: number;
  readonly sizeBytes: number;
}

/** The header at an offset: ISO's flags of Z and M, and EWKB's, whose SRID is passed over. */
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
