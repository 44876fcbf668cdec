/** Coordinates and ids in the search box. @module */
import type { Centre } from "../address/index.ts";

/** One coordinate: degrees, optionally minutes and seconds with their signs, and a letter after it. */
const ANGLE = /([+-]?\d+(?:\.\d+)?)\s*°?(?:\s*(\d+(?:\.\d+)?)\s*')?(?:\s*(\d+(?:\.\d+)?)\s*")?\s*([NSEW])?/.source;
/** Longer texts are not points, and would slow the patterns down. */
const MOST_POINT_CHARS = 80;
const POINT = new RegExp(`^${ANGLE}(?:\\s*[,;/]\\s*|\\s+|(?<=[NSEW]))${ANGLE}$`, "i");

/**
 * Parses latitude and longitude in common forms: `40.01, -105.27`, `40,01; -105,27`, `40.01° N 105.27° W`, `40°0'36"N
 * 105°16'12"W`, `geo:40.01,-105.27`. Longitude may come first if letters mark it.
 */
export function parsePoint(text: string): Centre | undefined {
  const match = text.length > MOST_POINT_CHARS ? undefined : POINT.exec(plainNumbers(text));
  if (!match) return undefined;
  const [first, second] = [parseAngle(match.slice(1, 5)), parseAngle(match.slice(5, 9))];
  if (!first || !second) return undefined;
  const isTurned = /[EW]/.test(first.letter) && /[NS]/.test(second.letter);
  const [north, east] = isTurned ? [second, first] : [first, second];
  if (/[EW]/.test(north.letter) || /[NS]/.test(east.letter)) return undefined;
  const [lat, lon] = [north.degrees, east.degrees];
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lon, lat } : undefined;
}

/** Returns the text with ASCII digits, signs and decimal points, and without words around the numbers. */
function plainNumbers(text: string): string {
  const plain = text
    .replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/[−–]/g, "-")
    .replace(/[′’]/g, "'")
    .replace(/[″”]|''/g, '"')
    .replaceAll("º", "°")
    .replaceAll("٫", ".")
    .replaceAll("،", ",")
    .trim()
    .replace(/^geo:([^;?]*).*$/i, "$1")
    .replace(/^[([](.*)[)\]]$/, "$1")
    .trim();
  return (
    plain
      // two numbers with a decimal comma each, and another separator between them
      .replace(/^([^,]*\d),(\d+[^,]*[\s;/][^,]*\d),(\d[^,]*)$/, "$1.$2.$3")
      // letters before their numbers
      .replace(/^([NSEW])\s*(.*?)[\s,;/]*([NSEW])\s*([^NSEW]+)$/i, "$2$1 $4$3")
  );
}

function parseAngle(parts: readonly (string | undefined)[]): { degrees: number; letter: string } | undefined {
  const [number = "", minutes = "0", seconds = "0", side = ""] = parts;
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return undefined;
  const letter = side.toUpperCase();
  const degrees = Math.abs(Number(number)) + Number(minutes) / 60 + Number(seconds) / 3600;
  const isNegative = number.startsWith("-") || letter === "S" || letter === "W";
  return { degrees: isNegative ? -degrees : degrees, letter };
}

/** Whether the text has the form of an Overture id: a UUID, or 32 hexadecimal digits. */
export function isRecordId(text: string): boolean {
  return /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text.trim());
}
