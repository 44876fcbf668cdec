/**
 * Geohash cells, as integers of interleaved bits (longitude first) and as base-32 text.
 * @see https://en.wikipedia.org/wiki/Geohash
 * @module
 */
import type { BBox } from "./bbox.ts";

const ALPHABET = "0123456789bcdefghjkmnpqrstuvwxyz";

/** Bits of a full geohash: 10 characters, cells of about 1.2 m by 0.6 m. As an integer it is below 2^53. */
export const GEOHASH_BITS = 50;
const AXIS_BITS = GEOHASH_BITS / 2;
const AXIS_CELLS = 2 ** AXIS_BITS;

/**
 * Size classes by index: the bits of the smallest geohash cell that is at least as wide and high as a row's box. Slices
 * have rows of one class, so that a country's outline does not enlarge the box of a street's shops. A search reads all
 * classes, so there are few. Houses, shops and most streets are in class 0 (1.2 km by 0.6 km).
 */
export const SIZE_CLASS_BITS = [30, 20, 10, 0] as const;

function cellAt(fraction: number): number {
  return Math.min(AXIS_CELLS - 1, Math.max(0, Math.floor(fraction * AXIS_CELLS)));
}

/** Returns the geohash of a position in degrees as an integer of `GEOHASH_BITS` bits. */
export function encodeGeohash(lon: number, lat: number): number {
  const x = cellAt((lon + 180) / 360);
  const y = cellAt((lat + 90) / 180);
  let key = 0;
  for (let bit = AXIS_BITS - 1; bit >= 0; bit--) {
    key = key * 4 + ((x >>> bit) & 1) * 2 + ((y >>> bit) & 1);
  }
  return key;
}

/** Returns the number of leading bits that two geohashes of 50 bits share. */
export function commonBits(a: number, b: number): number {
  let bits = GEOHASH_BITS;
  let x = a;
  let y = b;
  while (x !== y) {
    x = Math.floor(x / 2);
    y = Math.floor(y / 2);
    bits--;
  }
  return bits;
}

/**
 * Returns the first `bits` bits of a geohash of 50 bits as base-32 text, rounded down to whole characters of five bits;
 * `-` if there are none.
 */
export function spellGeohash(geohash: number, bits: number): string {
  let text = "";
  for (let start = 0; start + 5 <= bits; start += 5) {
    text += ALPHABET[Math.floor(geohash / 2 ** (GEOHASH_BITS - start - 5)) % 32];
  }
  return text === "" ? "-" : text;
}

/** Returns width and height in degrees of a cell with this number of bits. */
export function cellSize(bits: number): { widthDeg: number; heightDeg: number } {
  return { widthDeg: 360 / 2 ** Math.ceil(bits / 2), heightDeg: 180 / 2 ** Math.floor(bits / 2) };
}

/** Returns the size class of a box: an index into `SIZE_CLASS_BITS`, 0 for the smallest boxes. */
export function sizeClassOf(box: BBox): number {
  const widthDeg = box[0] <= box[2] ? box[2] - box[0] : 360 - box[0] + box[2];
  const heightDeg = box[3] - box[1];
  const index = SIZE_CLASS_BITS.findIndex((bits) => {
    const cell = cellSize(bits);
    return widthDeg <= cell.widthDeg && heightDeg <= cell.heightDeg;
  });
  return index === -1 ? SIZE_CLASS_BITS.length - 1 : index;
}
