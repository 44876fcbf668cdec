/**
 * Recognises coordinates, links to maps, codes and ids in a typed text.
 * @module
 */

/** Degrees WGS84. */
interface Centre {
  readonly lon: number;
  readonly lat: number;
}

/** One coordinate: degrees, optionally minutes and seconds with their signs, and a letter after it. */
const ANGLE = /([+-]?\d+(?:\.\d+)?)\s*°?(?:\s*(\d+(?:\.\d+)?)\s*')?(?:\s*(\d+(?:\.\d+)?)\s*")?\s*([NSEW])?/.source;
/** Longer texts are not points, and would slow the patterns down. Links are longer. */
const MOST_POINT_CHARS = 80;
const MOST_LINK_CHARS = 2000;
const POINT = new RegExp(`^${ANGLE}(?:\\s*[,;/]\\s*|\\s+|(?<=[NSEW]))${ANGLE}$`, "i");

/**
 * Returns the position of a text with latitude and longitude: `40.01, -105.27`, `40,01; -105,27`, `40.01° N 105.27° W`,
 * `40°0'36"N 105°16'12"W`, `40 0.9 -105 16.2`, `geo:40.01,-105.27`, or a link to a map. Longitude may come first if
 * letters mark it, or if it can be no latitude. Undefined for other text, and for positions that are not on the globe.
 */
export function parsePoint(text: string): Centre | undefined {
  return LINK.test(text) ? pointOfLink(text) : pointOfNumbers(text);
}

function pointOfNumbers(text: string): Centre | undefined {
  const match = text.length > MOST_POINT_CHARS ? undefined : POINT.exec(plainNumbers(text));
  if (!match) return undefined;
  const [first, second] = [parseAngle(match.slice(1, 5)), parseAngle(match.slice(5, 9))];
  if (!first || !second) return undefined;
  const isTurned = /[EW]/.test(first.letter) && /[NS]/.test(second.letter);
  const [north, east] = isTurned ? [second, first] : [first, second];
  if (/[EW]/.test(north.letter) || /[NS]/.test(east.letter)) return undefined;
  const isUnmarked = first.letter === "" && second.letter === "";
  const isReversed = isUnmarked && Math.abs(north.degrees) > 90 && Math.abs(east.degrees) <= 90;
  const [lat, lon] = isReversed ? [east.degrees, north.degrees] : [north.degrees, east.degrees];
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
    .replace(/\b(?:lat(?:itude)?|lo?ng?(?:itude)?)\b\s*[:=]?\s*/gi, "")
    .trim();
  return (
    withSigns(plain)
      // two numbers with a decimal comma each, and another separator between them
      .replace(/^([^,]*\d),(\d+[^,]*[\s;/][^,]*\d),(\d[^,]*)$/, "$1.$2.$3")
      // letters before their numbers
      .replace(/^([NSEW])\s*(.*?)[\s,;/]*([NSEW])\s*([^NSEW]+)$/i, "$2$1 $4$3")
  );
}

const MINUTES = /(\d{1,2}(?:\.\d+)?)/.source;
/** One coordinate as numbers with spaces or colons between them, and a letter before or after. */
const SPACED = `([NSEW])?\\s*([+-]?\\d{1,3})[\\s:]+${MINUTES}(?:[\\s:]+${MINUTES})?\\s*([NSEW])?`;
const BOTH_SPACED = new RegExp(`^${SPACED}[\\s,;/]+${SPACED}$`, "i");
/** As in aviation: `4000.9N 10516.2W`, `400054N1051612W`. */
const PACKED = /^(\d{2})(\d{2})(\d{2})?(\.\d+)?\s*([NS])[\s,]*(\d{3})(\d{2})(\d{2})?(\.\d+)?\s*([EW])$/i;
const LETTERED =
  /(\d)\s*d(?:eg(?:rees?)?)?\.?\s*(\d+(?:\.\d+)?)\s*m(?:in(?:utes?)?)?\.?(?:\s*(\d+(?:\.\d+)?)\s*s(?:ec(?:onds?)?)?\.?)?/gi;

/** Returns degrees and minutes with their signs, if they were written without. */
function withSigns(text: string): string {
  const signed = text.replace(LETTERED, (_, degrees, minutes, seconds) => angleText(degrees, minutes, seconds, ""));
  const packed = PACKED.exec(signed);
  if (packed) {
    const [, lat, latMinutes, latSeconds, latRest = "", ns, lon, lonMinutes, lonSeconds, lonRest = "", ew] = packed;
    const partOf = (minutes = "", seconds: string | undefined, rest: string) =>
      seconds === undefined ? [`${minutes}${rest}`, undefined] : [minutes, `${seconds}${rest}`];
    const [north, northSeconds] = partOf(latMinutes, latSeconds, latRest);
    const [east, eastSeconds] = partOf(lonMinutes, lonSeconds, lonRest);
    return `${angleText(lat, north, northSeconds, ns)} ${angleText(lon, east, eastSeconds, ew)}`;
  }
  const both = BOTH_SPACED.exec(signed);
  if (!both) return signed;
  const [, before, lat, latMinutes, latSeconds, after, beforeLon, lon, lonMinutes, lonSeconds, afterLon] = both;
  // four plain numbers may be a telephone number
  const isMarked = /[NSEW:+.,;/-]/i.test(signed);
  if (!isMarked || (latSeconds === undefined) !== (lonSeconds === undefined)) return signed;
  // a letter between both belongs to the second if the first has one before it
  const isBefore = before !== undefined && beforeLon === undefined && afterLon === undefined;
  const letters = isBefore ? [before, after] : [before ?? after, beforeLon ?? afterLon];
  return `${angleText(lat, latMinutes, latSeconds, letters[0])} ${angleText(lon, lonMinutes, lonSeconds, letters[1])}`;
}

function angleText(degrees = "", minutes = "0", seconds: string | undefined, letter = ""): string {
  return `${degrees}°${minutes}'${seconds === undefined ? "" : `${seconds}"`}${letter}`;
}

const LINK = /^\s*https?:\/\//i;
/** Parameters of map links with both coordinates, and pairs of parameters, best first. */
const BOTH_IN = ["ll", "coordinate", "q", "query", "destination", "daddr", "center", "cp", "sll", "loc"];
const PAIRS = [
  ["mlat", "mlon"],
  ["lat", "lng"],
  ["lat", "lon"],
] as const;

/** The position in a link of OpenStreetMap, Google, Apple, Bing or of a page with MapLibre: a mark before the middle. */
function pointOfLink(text: string): Centre | undefined {
  if (text.length > MOST_LINK_CHARS || !URL.canParse(text.trim())) return undefined;
  const { href, hash, searchParams } = new URL(text.trim());
  const inHash = new URLSearchParams(hash.slice(hash.indexOf("?") + 1).replace(/^#/, ""));
  const read = (name: string) => searchParams.get(name) ?? inHash.get(name) ?? "";
  const mark = /!3d(-?\d+(?:\.\d+)?)!4d(-?\d+(?:\.\d+)?)/.exec(href);
  const middle = /\/(?:@|search\/)(-?\d+(?:\.\d+)?),(?:\+|%20)?(-?\d+(?:\.\d+)?)/.exec(href);
  const atZoom = /#(?:.*map=)?\d+(?:\.\d+)?\/(-?\d+(?:\.\d+)?)\/(-?\d+(?:\.\d+)?)/.exec(hash);
  const texts = [
    mark?.slice(1).join(", ") ?? "",
    ...PAIRS.map(([lat, lon]) => (read(lat) && read(lon) ? `${read(lat)}, ${read(lon)}` : "")),
    ...BOTH_IN.map((name) => read(name).replace("~", ", ").replace(/^loc:/i, "")),
    ...[middle, atZoom].map((found) => found?.slice(1).join(", ") ?? ""),
  ];
  for (const each of texts) {
    const point = each === "" ? undefined : pointOfNumbers(each);
    if (point) return point;
  }
  return undefined;
}

/**
 * Returns whether the text may be a plus code, a geohash, an H3 cell, MGRS or UTM. `parseCode` of `data/positions`
 * decides.
 */
export function mayBeCode(text: string): boolean {
  const code = text.trim();
  if (code.length > MOST_POINT_CHARS) return false;
  return (
    /^[2-9CFGHJMPQRVWX]{4,8}\+/i.test(code) || /^\d{1,2}\s*[C-X][\s,]*(?:[A-Z]{2}\s*)?\d/i.test(code) || isOneCode(code)
  );
}

const isOneCode = (code: string): boolean => /^[0-9a-z]{7,15}$/i.test(code) && /\d/.test(code) && /[a-z]/i.test(code);

function parseAngle(parts: readonly (string | undefined)[]): { degrees: number; letter: string } | undefined {
  const [number = "", minutes = "0", seconds = "0", side = ""] = parts;
  if (Number(minutes) >= 60 || Number(seconds) >= 60) return undefined;
  const letter = side.toUpperCase();
  const degrees = Math.abs(Number(number)) + Number(minutes) / 60 + Number(seconds) / 3600;
  const isNegative = number.startsWith("-") || letter === "S" || letter === "W";
  return { degrees: isNegative ? -degrees : degrees, letter };
}

/** Returns whether the text has the form of an Overture id: a UUID, or 32 hexadecimal digits. */
export function isRecordId(text: string): boolean {
  return /^([0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(text.trim());
}
