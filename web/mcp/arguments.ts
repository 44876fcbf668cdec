/**
 * Arguments as agents write them: a number in quotes, one text where a list is wanted, a country by its name. The schemas that they
 * read stay strict, and what cannot be understood is refused by them.
 * @module
 */
import { z } from "zod";
import { foldText } from "../../data/format/fold.ts";

/** The number in "43.7"; of lengths, metres in "500 m" and "2 km". */
export function numberLike<T extends z.ZodType>(schema: T, { isLength = false } = {}) {
  return z.preprocess((value) => {
    const [, number, unit] = (typeof value === "string" && /^\s*([-+]?[\d.]+)\s*(km|m)?\s*$/.exec(value)) || [];
    if (number === undefined || (unit !== undefined && !isLength)) return value;
    return Number(number) * (unit === "km" ? 1000 : 1);
  }, schema);
}

/** The list in "a, b", in a JSON text, or of one value alone. */
export function listLike<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => {
    if (typeof value !== "string") return value;
    const [, inner = value] = /^\s*\[(.*)\]\s*$/.exec(value) ?? [];
    return inner.split(",").map((item) => item.trim().replace(/^"|"$/g, ""));
  }, schema);
}

export function booleanLike<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === "true" ? true : value === "false" ? false : value), schema);
}

/** "restaurants" of "places" and what else it may be called. */
export function kindLike<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (typeof value === "string" ? (KINDS[value.toLowerCase()] ?? value) : value), schema);
}

const KINDS: Readonly<Record<string, string>> = {
  place: "places",
  poi: "places",
  pois: "places",
  building: "buildings",
  address: "addresses",
  road: "transportation",
  roads: "transportation",
  street: "transportation",
  streets: "transportation",
  division: "divisions",
  towns: "divisions",
  cities: "divisions",
};

/** The code of a country that may be given by its name in English. */
export function countryLike<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (typeof value === "string" ? (codeOf(value) ?? value) : value), schema);
}

let codes: ReadonlyMap<string, string> | undefined;

function codeOf(name: string): string | undefined {
  codes ??= countryCodes();
  return codes.get(foldText(name));
}

function countryCodes(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i));
  const found = new Map<string, string>();
  for (const first of letters) {
    for (const second of letters) {
      const code = first + second;
      const name = names.of(code);
      // codes of old countries have names of present ones
      if (name !== undefined && !found.has(foldText(name))) found.set(foldText(name), code);
    }
  }
  for (const [name, code] of SHORT_NAMES) found.set(name, code);
  return found;
}

const SHORT_NAMES = [
  ["usa", "US"],
  ["united states of america", "US"],
  ["uk", "GB"],
  ["great britain", "GB"],
  ["uae", "AE"],
] as const;

/** A category as the data writes it, and its singular: "Coffee shops" is `coffee_shop`. */
export function categoriesOf(words: readonly string[]): string[] {
  const written = words.map((word) =>
    word
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_"),
  );
  return [...new Set(written.flatMap((word) => [word, word.replace(/ies$/, "y"), word.replace(/s$/, "")]))];
}
