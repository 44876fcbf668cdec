/**
 * Arguments as agents write them: a number in quotes, one text where a list is wanted, a country by its name. The schemas that they
 * read stay strict, and what cannot be understood is refused by them.
 * @module
 */
import { z } from "zod";
import { countryCode } from "../../data/format/country-code.ts";

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
  return z.preprocess(
    (value) => (typeof value === "string" ? (KINDS.get(value.toLowerCase()) ?? value) : value),
    schema,
  );
}

const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
);

/** The code of a country that may be given by its name. */
export function countryLike<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (typeof value === "string" ? (countryCode(value) ?? value) : value), schema);
}

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
