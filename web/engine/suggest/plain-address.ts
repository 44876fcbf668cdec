/**
 * Rewrites an address as people write it: floors, stairs and words before numbers and postcodes are split off, and
 * regions after the town are set apart.
 * @module
 */
import { foldText, wordsOf } from "../../../data/format/fold.ts";
import { splitJapaneseAddress } from "./japanese-address.ts";
import { isRegion } from "./regions.ts";

export interface PlainAddress {
  readonly text: string;
  /** Folded words that name a floor, stairs or a building: no row has them. */
  readonly extras: readonly string[];
  /** Folded codes and names of regions. */
  readonly regions: readonly string[];
}

const MOST_CHARS = 200;

/** Floors, stairs and blocks, in the languages of the page. */
const EXTRAS: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])\d{1,2}(?:st|nd|rd|th|er|e|eme|ème|º|°|ª|\.)?\s*(?:floor|fl|étage|etage|stock|og|verdieping|hoog|andar|piano|planta|piso)(?!\p{L})\.?/giu,
  /(?<!\p{L})(?:floor|level|piano|piso|planta|andar|étage|etage|stock)\s*\d{1,2}(?![\p{L}\p{N}])/giu,
  /(?<![\p{L}\p{N}])\d{1,2}\s*[ºª°](?!\s*de(?!\p{L}))(?:\s*(?:[a-z](?!\p{L})|izq(?:da|uierda)?\.?|dcha\.?|derecha))?/giu,
  /(?<!\p{L})(?:scala|esc(?:alera|alier)?|bloco|bl|bât(?:iment)?|bat(?:iment)?|torre|tower)\.?\s+[a-z0-9](?![\p{L}\p{N}])/giu,
  /(?<!\p{L})cedex(?:\s+\d{1,2})?(?![\p{L}\p{N}])/giu,
  /(?<!\p{L})(?:ground floor|erdgeschoss|hinterhaus|rez-de-chaussée|bajo)(?!\p{L})/giu,
];
/** Words before a number or a code that only name its kind. */
const MARKS =
  /(?<!\p{L})(?:(?:cep|plz|zip|pin|pincode|postcode)(?!\p{L})[:.]?|(?:nº|n°|№|nr|no|num|número|n)(?!\p{L})\.?)\s*(?=\d)/giu;
const UNIT_NUMBER = /(?<!\p{L})(flat|apt|apartment|unit|shop|office|room)\.?\s+(?:no|nr)\.?\s*(?=\d)/giu;

/** Short forms with a point or a raised letter inside, which would become two words. */
const SHORT: readonly (readonly [RegExp, string])[] = [
  [/(?<!\p{L})p\.?zza(?!\p{L})/giu, "piazza"],
  [/(?<!\p{L})p\.?le(?!\p{L})/giu, "piazzale"],
  [/(?<!\p{L})v\.le(?!\p{L})/giu, "viale"],
  [/(?<!\p{L})c\.so(?!\p{L})/giu, "corso"],
  [/(?<!\p{L})p\.?º/giu, "paseo"],
];

/** Postcodes with a space in them, which is often left out. */
const DUTCH = /(?<=^|,\s*|\s)([1-9]\d{3})\s([A-Z]{2})(?=\s*,|\s+\p{Lu}\p{L}+[^,\d]*$|\s+'s-|$)/gu;
const INDIAN = /(?<=\s)([1-9]\d{2})\s(\d{3})(?=\s*(?:,|$))/gu;
const AMERICAN = /(?<=\s)(\d{5})-\d{4}(?!\d)/gu;

/** Two or three letters at the end, before a comma or before a postcode. */
const REGION_CODE = /(?<=[\s,/(-])\(?([a-z]{2,3})\)?(?=\s*[,)-]|\s+\d{4,}|\s*$)/giu;

/**
 * Splits an address: the text without its extras and regions, and these apart. A text of more than 200 characters stays whole.
 */
export function plainAddressOf(text: string): PlainAddress {
  if (text.length > MOST_CHARS) return { text, extras: [], regions: [] };
  const japanese = splitJapaneseAddress(text);
  if (japanese) {
    const { prefecture } = japanese;
    return { text: japanese.text, extras: [], regions: prefecture === "" ? [] : [prefecture] };
  }
  const extras: string[] = [];
  const regions: string[] = [];
  const spelt = SHORT.reduce((rest, [pattern, whole]) => rest.replace(pattern, whole), text);
  const joined = spelt
    .replace(DUTCH, "$1$2")
    .replace(INDIAN, "$1$2")
    .replace(AMERICAN, "$1")
    .replace(UNIT_NUMBER, "$1 ")
    .replaceAll("#", " unit ");
  const whole = EXTRAS.reduce(
    (rest, pattern) =>
      rest.replace(pattern, (extra) => {
        extras.push(...wordsOf(extra).map((word) => word.text));
        return " ";
      }),
    joined,
  ).replace(MARKS, "");
  const own = whole.replace(REGION_CODE, (written, code: string, at: number) => {
    if (at < 3 || !isRegion(foldText(code))) return written;
    regions.push(foldText(code));
    return " ";
  });
  return { ...withoutRegionName(own, regions), extras };
}

/** Sets a region apart that follows the town: `Boulder, Colorado 80302`. */
function withoutRegionName(text: string, regions: readonly string[]): Omit<PlainAddress, "extras"> {
  const parts = text.split(/,| - |\n/u);
  const lettered = parts.flatMap((part, index) => (/\p{L}{2}/u.test(part) ? [index] : []));
  const last = lettered.at(-1);
  if (last === undefined || lettered.length < MOST_PARTS_WITHOUT_REGION) return { text, regions };
  const name = foldText(parts[last] ?? "")
    .replace(/\d+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (!isRegion(name)) return { text, regions };
  const numbers = (parts[last] ?? "").match(/\d+/g) ?? [];
  return { text: parts.with(last, numbers.join(" ")).join(", "), regions: [...regions, name] };
}

/** Street and town: a region needs both before it. */
const MOST_PARTS_WITHOUT_REGION = 3;
