/** Codes of cells: geohashes and full plus codes, as the centre of their cell. @module */
import { OpenLocationCode } from "open-location-code";
import type { Position } from "../format/geometry.ts";

const GEOHASH_DIGITS = "0123456789bcdefghjkmnpqrstuvwxyz";
const GEOHASH = /^[0-9b-hjkmnp-z]{4,12}$/i;
const PLUS_CODE = /^[2-9CFGHJMPQRVWX]{8}\+[2-9CFGHJMPQRVWX]{0,7}$/i;

/** One instance decodes all codes. */
export const plusCodes = new OpenLocationCode();

/** Whether the text has the form of a full plus code. */
export const isPlusCode = (text: string): boolean => PLUS_CODE.test(text.trim()) && text.trim().length !== 10;
/** Whether the text has the form of a geohash of 4 to 12 characters. */
export const isGeohash = (text: string): boolean => GEOHASH.test(text.trim());

/** Returns the centre of a geohash cell as `[longitude, latitude]` in degrees; undefined unless `isGeohash`. */
export function geohashCentre(text: string): Position | undefined {
  if (!isGeohash(text)) return undefined;
  const bounds = { low: [-180, -90], high: [180, 90] };
  let axis = 0;
  for (const digit of text.trim().toLowerCase()) {
    const value = GEOHASH_DIGITS.indexOf(digit);
    for (const bit of [16, 8, 4, 2, 1]) {
      const middle = ((bounds.low[axis] ?? 0) + (bounds.high[axis] ?? 0)) / 2;
      ((value & bit) === 0 ? bounds.high : bounds.low)[axis] = middle;
      axis = 1 - axis;
    }
  }
  return centre(bounds);
}

/** Returns the centre of a full plus code as `[longitude, latitude]` in degrees; undefined for another text. */
export function plusCodeCentre(text: string): Position | undefined {
  const code = text.trim().toUpperCase();
  if (!isPlusCode(code) || !plusCodes.isFull(code)) return undefined;
  const { latitudeCenter, longitudeCenter } = plusCodes.decode(code);
  return [rounded(longitudeCenter), rounded(latitudeCenter)];
}

function centre({ low, high }: { readonly low: readonly number[]; readonly high: readonly number[] }): Position {
  const [west = 0, south = 0] = low;
  const [east = 0, north = 0] = high;
  return [rounded((west + east) / 2), rounded((south + north) / 2)];
}

const rounded = (degrees: number): number => Math.round(degrees * 1e9) / 1e9;
