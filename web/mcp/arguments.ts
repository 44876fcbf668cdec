/**
 * Converts arguments of tools as agents write them: a quoted number, a text instead of a list, a country by name. The schemas
 * behind refuse what is not converted. @module
 */
import { z } from "zod";
import { countryCode } from "../../data/format/country-code.ts";
import { nearest } from "../search/index.ts";

/** Names that agents use, with the names of the arguments that they may mean. The first that the tool has is suggested. */
const MEANT: ReadonlyMap<string, readonly string[]> = new Map([
  ["type", ["what", "by"]],
  ["types", ["what", "by"]],
  ["kind", ["what", "by"]],
  ["collection", ["what", "by"]],
  ["theme", ["what", "by"]],
  ["layer", ["what", "by"]],
  ["group_by", ["by"]],
  ["category", ["categories", "words"]],
  ["latitude", ["lat"]],
  ["longitude", ["lng"]],
  ["lon", ["lng"]],
  ["long", ["lng"]],
  ["distance", ["radius"]],
  ["meters", ["radius"]],
  ["within", ["radius", "division"]],
  ["query", ["text", "words", "name"]],
  ["q", ["text", "words", "name"]],
  ["search", ["text", "words", "name"]],
  ["text", ["words", "name"]],
  ["words", ["text", "name"]],
  ["count", ["limit"]],
  ["max", ["limit"]],
  ["max_results", ["limit"]],
  ["k", ["nearest", "limit"]],
  ["page", ["cursor"]],
  ["offset", ["cursor"]],
  ["box", ["bbox"]],
  ["bounds", ["bbox"]],
  ["area", ["division", "bbox", "country"]],
  ["place", ["division", "name"]],
  ["country_code", ["country"]],
  ["lang", ["language"]],
  ["locale", ["language"]],
]);

/** Returns a strict schema of a tool's arguments. For an unknown argument, its error names the one that was probably meant. */
export function argumentsOf<T extends z.ZodRawShape>(shape: T): z.ZodObject<T, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? unknownArguments(issue.keys ?? [], known) : undefined),
  });
}

function unknownArguments(sent: readonly string[], known: readonly string[]): string {
  const faults = sent.map((name) => {
    const meant = MEANT.get(name.toLowerCase())?.find((each) => known.includes(each)) ?? nearest(name, known);
    return `unknown argument ${name}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
  });
  return `${faults.join("\n")}\narguments of this tool: ${known.join(", ") || "none"}`;
}

/**
 * Returns the schema with a step before it that converts the text "43.7" to a number, and with `isLength` also "500 m" and "2
 * km" to metres. The schema gets any other value unchanged.
 */
export function numberLike<T extends z.ZodType>(schema: T, { isLength = false } = {}) {
  return z.preprocess((value) => {
    const [, number, unit] = (typeof value === "string" && /^\s*([-+]?[\d.]+)\s*(km|m)?\s*$/.exec(value)) || [];
    if (number === undefined || (unit !== undefined && !isLength)) return value;
    return Number(number) * (unit === "km" ? 1000 : 1);
  }, schema);
}

/** Returns the schema with a step before it that converts "a, b", "[a, b]" or a single text to a list of texts. */
export function listLike<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => {
    if (typeof value !== "string") return value;
    const [, inner = value] = /^\s*\[(.*)\]\s*$/.exec(value) ?? [];
    return inner.split(",").map((item) => item.trim().replace(/^"|"$/g, ""));
  }, schema);
}

/** Returns the schema with a step before it that converts the texts "true" and "false" to booleans. */
export function booleanLike<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (value === "true" ? true : value === "false" ? false : value), schema);
}

/**
 * Returns the schema with a step before it that converts words for a kind of record to a search path without its slash: "poi" to
 * "places", "street" to "transportation". Unknown words stay.
 */
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

/**
 * Returns the schema with a step before it that replaces names of countries by codes: "France, Italy" or a list of both becomes
 * "FR,IT". Unknown names stay, so that the schema refuses them.
 */
export function countryLike<T extends z.ZodType>(schema: T) {
  const codeOf = (name: string) =>
    countryCode(name) ??
    name
      .split(",")
      .map((part) => countryCode(part) ?? part)
      .join();
  return z.preprocess((value) => {
    const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
    return typeof value === "string" ? codeOf(value) : isList ? value.map(codeOf).join() : value;
  }, schema);
}

/**
 * Returns each text as it is, which a table may have, in the spelling of Overture's categories, and as possible singulars:
 * `coffee_shops` and `coffee_shop` for "Coffee shops".
 */
export function categoriesOf(words: readonly string[]): string[] {
  const spellings = words.flatMap((word) => {
    const written = word.trim();
    const spelt = written.toLowerCase().replace(/[\s-]+/g, "_");
    return [written, spelt, spelt.replace(/ies$/, "y"), spelt.replace(/s$/, "")];
  });
  return [...new Set(spellings)];
}
