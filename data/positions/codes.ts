/**
 * Reads codes of positions, without a map or a network: plus codes, geohashes, H3 cells, MGRS and UTM.
 *
 * @module
 */
import { toLatLon } from "utm";
import type { Position } from "../format/geometry.ts";
import { geohashCentre, plusCodeCentre, plusCodes } from "./cells.ts";
import { h3Centre } from "./h3.ts";

/** Degrees WGS84. */
export interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** A short plus code, and the words after it that name a town. */
interface ShortCode {
  readonly code: string;
  readonly town: string;
}

/** Longer texts are no codes. */
const MOST_CHARS = 80;
const DECIMALS = 1e6;

const SHORT_CODE = /^([23456789CFGHJMPQRVWX]{4,6}\+[23456789CFGHJMPQRVWX]{2,7})(?:[\s,]+(.+))?$/i;
/** Shorter ones, and ones of letters or digits alone, are words and postcodes. */
const GEOHASH = /^(?=.*[0-9])(?=.*[b-hjkmnp-z])[0-9b-hjkmnp-z]{7,12}$/i;
const MGRS = /^\d{1,2}[C-HJ-NP-X][A-HJ-NP-Z][A-HJ-NP-V](?:\d{2}|\d{4}|\d{6}|\d{8}|\d{10})$/i;
const UTM =
  /^(\d{1,2})\s*([C-HJ-NP-X])[\s,]+(?:E\s*)?(\d{6}(?:\.\d{1,6})?)\s*m?\s*E?[\s,]+(?:N\s*)?(\d{1,8}(?:\.\d{1,6})?)\s*m?\s*N?$/i;

/**
 * Returns the position of a UTM reference, or the middle of the cell of a full plus code, MGRS reference, H3 index or
 * geohash of 7 to 12 characters with letters and digits. Rounded to 1e-6 degrees. Undefined for any other text.
 */
export async function parseCode(text: string): Promise<Point | undefined> {
  const code = text.length > MOST_CHARS ? "" : text.trim();
  return (
    middleOf(plusCodeCentre(code)) ??
    (await mgrs(code)) ??
    utm(code) ??
    middleOf(h3Centre(code)) ??
    (GEOHASH.test(code) ? middleOf(geohashCentre(code)) : undefined)
  );
}

/**
 * Returns a short plus code and the text after it, which names a town and may be empty. Undefined for any other text.
 */
export function parseShortCode(text: string): ShortCode | undefined {
  const [, code, town = ""] = (text.length > MOST_CHARS ? null : SHORT_CODE.exec(text.trim())) ?? [];
  return code !== undefined && plusCodes.isShort(code) ? { code: code.toUpperCase(), town } : undefined;
}

/**
 * Returns the position of a short plus code: of all cells with this code, the middle of the one nearest to the town.
 * Undefined if the code is invalid.
 */
export function nearTown(code: string, { lat, lon }: Point): Point | undefined {
  return middleOf(plusCodeCentre(plusCodes.recoverNearest(code, lat, lon)));
}

function middleOf(position: Position | undefined): Point | undefined {
  return position && rounded(position[1], position[0]);
}

async function mgrs(code: string): Promise<Point | undefined> {
  const compact = code.replace(/\s+/g, "").toUpperCase();
  if (!MGRS.test(compact)) return undefined;
  const { toPoint } = await import("mgrs");
  try {
    const [lon, lat] = toPoint(compact);
    return rounded(lat, lon);
  } catch {
    // letters that the zone does not have
    return undefined;
  }
}

/** Bands from C to M are south of the equator. */
const FIRST_NORTHERN_BAND = "N";
/** Northings of band S, which is in the north. Others with an S are meant as south. */
const BAND_S = [3_540_000, 4_430_000] as const;

function utm(code: string): Point | undefined {
  const [, zone = "", letter = "", easting = "", northing = ""] = UTM.exec(code) ?? [];
  if (zone === "") return undefined;
  const band = letter.toUpperCase();
  const [least, most] = BAND_S;
  const isNorthern = band === "S" ? Number(northing) >= least && Number(northing) <= most : band >= FIRST_NORTHERN_BAND;
  try {
    const { latitude, longitude } = toLatLon(Number(easting), Number(northing), Number(zone), undefined, isNorthern);
    return rounded(latitude, longitude);
  } catch {
    // a zone or a northing that does not exist
    return undefined;
  }
}

function rounded(lat: number, lon: number): Point | undefined {
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  return isOnEarth
    ? { lat: Math.round(lat * DECIMALS) / DECIMALS, lon: Math.round(lon * DECIMALS) / DECIMALS }
    : undefined;
}
