/**
 * Positions in codes, without a map or a network: plus codes, geohashes, H3 cells, MGRS and UTM.
 * @module
 */
import type { Position } from "../format/geometry.ts";
import { geohashCentre, plusCodeCentre, plusCodes } from "./cells.ts";
import { h3Centre } from "./h3.ts";

/** Degrees WGS84. */
export interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** A short plus code, and the words after it that name a town. */
export interface ShortCode {
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

/** Returns the position of a code: the middle of its cell. Undefined for a text that is no code. */
export async function parseCode(text: string): Promise<Point | undefined> {
  const code = text.length > MOST_CHARS ? "" : text.trim();
  return (
    middleOf(plusCodeCentre(code)) ??
    (await mgrs(code)) ??
    (await utm(code)) ??
    middleOf(h3Centre(code)) ??
    (GEOHASH.test(code) ? middleOf(geohashCentre(code)) : undefined)
  );
}

/** Returns a short plus code and its town; undefined for any other text. */
export function parseShortCode(text: string): ShortCode | undefined {
  const [, code, town = ""] = (text.length > MOST_CHARS ? null : SHORT_CODE.exec(text.trim())) ?? [];
  return code !== undefined && plusCodes.isShort(code) ? { code: code.toUpperCase(), town } : undefined;
}

/** Returns the position of a short plus code that is nearest to the town. */
export function besideTown(code: string, { lat, lon }: Point): Point | undefined {
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
const SOUTHERN_BANDS = "CDEFGHJKLM";
const NORTHERN_BANDS = "NPQRSTUVWX";
/** Nearly eight degrees: a band that starts before a northing. */
const BAND_METERS = 900_000;
const SOUTHERN_METERS = 1_100_000;
const MOST_NORTHING = 10_000_000;
/** Squares of MGRS: three zones have columns of their own, and rows start at A or F. */
const SQUARE_METERS = 100_000;
const COLUMNS = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const COLUMNS_OF_ZONE = 8;
const ROWS = "ABCDEFGHJKLMNPQRSTUV";
/** Northings of band S, which is in the north. Others with an S are meant as south. */
const BAND_S = [3_540_000, 4_430_000] as const;

/** As MGRS, which has the same metres, so that one library reads both. */
async function utm(code: string): Promise<Point | undefined> {
  const [, zone = "", letter = "", easting = "", northing = ""] = UTM.exec(code) ?? [];
  const [number, east, north] = [Number(zone), Math.floor(Number(easting)), Math.floor(Number(northing))];
  if (number < 1 || number > 60 || north >= MOST_NORTHING) return undefined;
  const [least, most] = BAND_S;
  const given = letter.toUpperCase();
  const isNorthern = given === "S" ? north >= least && north <= most : given >= FIRST_NORTHERN_BAND;
  const band = isNorthern
    ? NORTHERN_BANDS[Math.min(9, Math.floor(north / BAND_METERS))]
    : SOUTHERN_BANDS[Math.floor((north - SOUTHERN_METERS) / BAND_METERS)];
  const column = Math.floor(east / SQUARE_METERS) - 1;
  const row = (Math.floor(north / SQUARE_METERS) + (number % 2 === 0 ? 5 : 0)) % ROWS.length;
  if (band === undefined || column < 0 || column >= COLUMNS_OF_ZONE) return undefined;
  const square = `${COLUMNS[((number - 1) % 3) * COLUMNS_OF_ZONE + column]}${ROWS[row]}`;
  const digits = [east, north].map((meters) => String(meters % SQUARE_METERS).padStart(5, "0"));
  return mgrs(`${number}${band}${square}${digits.join("")}`);
}

function rounded(lat: number, lon: number): Point | undefined {
  const isOnEarth = Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
  return isOnEarth
    ? { lat: Math.round(lat * DECIMALS) / DECIMALS, lon: Math.round(lon * DECIMALS) / DECIMALS }
    : undefined;
}
