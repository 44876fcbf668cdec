/**
 * Finds what a typed text can mean, as suggestions or as their records.
 * @module
 */
import { type Dataset, type Feature, ManifestError, type Suggestion, type SuggestQuery } from "../engine/index.ts";
import {
  DEFAULT_TEXT_LIMIT,
  type ParameterPath,
  type Parameters,
  parseValuesOf,
  type RunOptions,
} from "../search/index.ts";

interface TextPath extends ParameterPath {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly required: readonly ["text"];
}

const WHERE = ["text", "lat", "lng", "country", "language", "limit"] as const;

export const AUTOCOMPLETE_PATH: TextPath = {
  path: "/autocomplete",
  summary: "What a text can mean, while it is typed.",
  description:
    "Divisions, places, streets, addresses and categories of places, best first. Words may be in any order and misspelt. A category has its name in the data as `id` and the point to search around. It is found by its names, or by what people want to do (`toothache`). Without `lat` and `lng` it needs a place or a town in the text. `unused` contains the words of the text that a suggestion does not use.",
  parameters: [...WHERE, "api_key"],
  required: ["text"],
};

export const TEXT_SEARCH_PATH: TextPath = {
  path: "/search",
  summary: "The records that a text can mean.",
  description:
    "The same as `/autocomplete`, with the whole record of each suggestion. Categories are not listed, because they have no record. A text that states a position (degrees, a link of a map, a plus code, a geohash, MGRS) finds what is there, with `ext_match` `position`.",
  parameters: [...WHERE, "format", "includes", "api_key"],
  required: ["text"],
};

export interface TextSearch {
  readonly query: SuggestQuery;
  readonly format: "json" | "geojson";
  /** Properties to keep in addition to the id; default: all. */
  readonly properties: ReadonlySet<string> | undefined;
}

/** Parses the parameters. The query finds categories only for `/autocomplete`. Throws `ParameterError` with every fault. */
export function parseText(path: TextPath, parameters: Parameters): TextSearch {
  const values = parseValuesOf(path, parameters);
  const { text, lat, lng, country, language, limit = DEFAULT_TEXT_LIMIT, format, includes } = values;
  const near = lat === undefined || lng === undefined ? undefined : { lat, lon: lng };
  // The parameter of a text search takes one code.
  const [only] = country === undefined ? [] : [country].flat();
  return {
    query: { text, country: only, language, near, limit, categories: path === AUTOCOMPLETE_PATH, inAnyLanguage: true },
    format: format === "geojson" ? format : "json",
    properties: includes && new Set(includes),
  };
}

/** A suggestion in the REST interface, where longitude is `lng`. */
type ShownSuggestion = Omit<Suggestion, "lon"> & { readonly lng: number };

/** Converts a suggestion to the names of the REST interface. */
export function shownSuggestion({ lon, ...suggestion }: Suggestion): ShownSuggestion {
  return { ...suggestion, lng: lon };
}

/**
 * Returns the records of the suggestions, in their order, each with `ext_unused` and, if known, `ext_match`, `ext_matched` and
 * `ext_distance` in metres. Throws `ManifestError` if the dataset lacks a record, so do not pass categories, which have none.
 */
export async function recordsOf(
  dataset: Dataset,
  suggestions: readonly Suggestion[],
  options: RunOptions = {},
): Promise<Feature[]> {
  return Promise.all(
    suggestions.map(async (suggestion) => withMatch(await recordOf(dataset, suggestion, options), suggestion)),
  );
}

/** Returns the record of the suggestion. Throws `ManifestError` if the dataset does not have it. */
export async function recordOf(dataset: Dataset, suggestion: Suggestion, options: RunOptions = {}): Promise<Feature> {
  const { collection, id } = suggestion;
  const record = await dataset.find([collection], id, { ...options, near: suggestion });
  if (record) return record;
  throw new ManifestError(`the records of ${collection} have no id ${JSON.stringify(id)}, which a suggestion names`);
}

function withMatch(record: Feature, { match, matched, meters, unused }: Suggestion): Feature {
  const matchFacts = {
    ext_unused: unused,
    ...(match === undefined ? {} : { ext_match: match }),
    ...(matched === undefined ? {} : { ext_matched: matched }),
    ...(meters === undefined ? {} : { ext_distance: meters }),
  };
  return { ...record, properties: { ...record.properties, ...matchFacts } };
}
