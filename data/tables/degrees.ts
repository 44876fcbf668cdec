/** Latitudes and longitudes as people and programs write them. @module */
import { parsePoint } from "../typed-points/index.ts";
import { parseNumber } from "./values.ts";

const PLAIN = /^[-+]?\d{1,3}[.,]\d+$/;
const DEGREES =
  /^([NSEW])?\s*([-+])?\s*(\d{1,3}(?:[.,]\d+)?)(?:(?:\s*(?:°|deg(?:rees)?\.?|d|:)\s*|\s+)(?:(\d{1,2}(?:[.,]\d+)?)(?:(?:\s*(?:'|m(?:in)?\.?|:)\s*|\s+)(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:"|''|s(?:ec)?\.?)?)?)?)?)?\s*([NSEW])?$/i;
/** Degrees in two digits of a latitude and three of a longitude, minutes and seconds without signs: `480814N`. */
const COMPACT_LAT = /^([NS])?(\d\d)(\d\d(?:\.\d+)?|\d\d(?=\d\d))(\d\d(?:\.\d+)?)?([NS])?$/i;
const COMPACT_LNG = /^([EW])?(\d{3})(\d\d(?:\.\d+)?|\d\d(?=\d\d))(\d\d(?:\.\d+)?)?([EW])?$/i;

/** An angle in degrees, read from a text. */
export interface Degrees {
  readonly value: number;
  /** The axis of a letter N, S, E or W in the text. */
  readonly axis?: "lat" | "lng";
}

/** Zeros of Arabic, Persian and Devanagari digits. */
const ZEROS = [0x660, 0x6f0, 0x966];

const asciiDigit = (digit: string): string => {
  const code = digit.charCodeAt(0);
  const zero = ZEROS.find((one) => code >= one && code < one + 10);
  return zero === undefined ? digit : String(code - zero);
};

/** In ASCII, without marks of direction, which copied texts have. */
const plainMarks = (text: string): string =>
  text
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, "")
    .replace(/[\uff0b-\uff1a]/g, (wide) => wide.normalize("NFKC"))
    .replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, asciiDigit)
    .replace(/\u066b/g, ".")
    .replace(/[\u2212\u2012\u2013]/g, "-")
    .replace(/[º˚]/g, "°")
    .replace(/[′’‘´`]/g, "'")
    .replace(/[″”“]/g, '"')
    .replace(/[\u00a0\u202f\u2009]/g, " ")
    .trim();

/**
 * Returns the decimal degrees of a text, which may have minutes, seconds, signs and letters. Undefined for other text.
 * Does not check the range. `decimalComma` says whether `1.234` has a thousands separator.
 */
export function parseDegrees(given: string, decimalComma = false): Degrees | undefined {
  const text = plainMarks(given);
  if (PLAIN.test(text)) return { value: Number(text.replace(",", ".")) };
  const number = parseNumber(text, decimalComma);
  if (!Number.isNaN(number)) return { value: number };
  const found = DEGREES.exec(text) ?? compact(text);
  if (!found) return undefined;
  const [, before, sign, whole = "", minutes, seconds, after] = found;
  if (before !== undefined && after !== undefined) return undefined;
  const [degrees, minute, second] = [whole, minutes, seconds].map((part) => Number((part ?? "0").replace(",", ".")));
  if (degrees === undefined || minute === undefined || second === undefined || minute >= 60 || second >= 60)
    return undefined;
  if (minutes !== undefined && !Number.isInteger(degrees)) return undefined;
  const letter = (before ?? after)?.toUpperCase();
  const isNegative = sign === "-" || letter === "S" || letter === "W";
  const value = (degrees + minute / 60 + second / 3600) * (isNegative ? -1 : 1);
  return { value, ...(letter === undefined ? {} : { axis: letter === "N" || letter === "S" ? "lat" : "lng" }) };
}

/** The parts of a text such as `480814N`, in the order of `DEGREES`. */
function compact(text: string) {
  const found = COMPACT_LAT.exec(text) ?? COMPACT_LNG.exec(text);
  if (!found || (found[1] ?? found[5]) === undefined) return undefined;
  const [whole, before, degrees, minutes, seconds, after] = found;
  return [whole, before, undefined, degrees, minutes, seconds, after] as const;
}

interface Pair {
  readonly first: Degrees;
  readonly second: Degrees;
  /** Whether the text contains nothing else. */
  readonly isWhole: boolean;
}

/** The point in a link to a map. */
function pairOfLink(link: string): Pair | undefined {
  const point = parsePoint(link);
  return (
    point && { first: { value: point.lat, axis: "lat" }, second: { value: point.lon, axis: "lng" }, isWhole: false }
  );
}

/**
 * Returns the two coordinates of a text, in the order of the text: `48.1, 11.5`, `(48.1, 11.5)`, `geo:48.1,11.5`, in
 * brackets after an address as Socrata writes it, or in a link to a map (latitude first). Undefined for other text.
 */
export function parsePair(given: string): Pair | undefined {
  const text = plainMarks(given);
  if (/^https?:\/\//i.test(text)) return pairOfLink(text);
  const inner = /^(?:geo:)?[([{]?\s*([^()[\]{}]+?)\s*[)\]}]?$/i.exec(text)?.[1];
  if (inner !== undefined) {
    const pair = halves(inner);
    if (pair) return { ...pair, isWhole: true };
  }
  const last = /\(([^()]+)\)\s*$/.exec(text)?.[1];
  const pair = last === undefined ? undefined : halves(last);
  return pair && { ...pair, isWhole: false };
}

function halves(text: string): Omit<Pair, "isWhole"> | undefined {
  for (const separator of [
    /\s*[;|/]\s*/,
    /\s*,\s+/,
    /\s*,\s*/,
    /\s+/,
    /(?<=[NSEW])\s*,?\s*(?=\S)/i,
    /(?<=\S)\s*,?\s*(?=[NSEW]\s*\d)/i,
  ]) {
    const [one, two, ...others] = text.split(separator);
    if (one === undefined || two === undefined || others.length > 0) continue;
    const [first, second] = [parseDegrees(one), parseDegrees(two)];
    if (first && second) return { first, second };
  }
  return undefined;
}
