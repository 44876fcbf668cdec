/**
 * Finds the records that a text means, and the names of the divisions above them: parts that Photon and Nominatim share. @module
 */
import { type BBox, bboxContains, wrapLon } from "../../data/format/bbox.ts";
import { listOf, objectOf, textOf } from "../../data/format/json.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import type { Dataset, Feature, Suggestion } from "../engine/index.ts";
import type { RunOptions } from "../search/index.ts";
import { type Described, nameOf } from "./record-parts.ts";
import { type Outlineless, townOf } from "./reverse.ts";
import { recordOf } from "./words.ts";

/** Photon's kinds of results. */
export const LAYERS = [
  "house",
  "street",
  "locality",
  "district",
  "city",
  "county",
  "state",
  "country",
  "other",
] as const;
export type Layer = (typeof LAYERS)[number];

/** Suggestions looked up per wanted record: layer and tags of a division are known only from its record. */
export const SPARE_RECORDS = 4;

const LAYERS_OF_KIND: Readonly<Record<Suggestion["kind"], readonly Layer[]>> = {
  address: ["house"],
  place: ["house"],
  street: ["street"],
  country: ["country"],
  division: ["locality", "district", "city", "county", "state", "country", "other"],
  category: [],
};

export interface RecordsQuery {
  readonly text: string;
  readonly near: { readonly lat: number; readonly lon: number } | undefined;
  /** If given, only records in the box are found: west, south, east, north in degrees. */
  readonly bbox: BBox | undefined;
  /** ISO 3166-1 alpha-2 codes; empty for all countries. */
  readonly countries: readonly string[];
  readonly language: string | undefined;
  /** Number of records that the caller needs after its own filter. Up to four times as many are yielded. */
  readonly limit: number;
  readonly layers: readonly Layer[];
  readonly placeTerms?: readonly string[] | undefined;
  readonly isWanted?: (suggestion: Suggestion) => boolean;
}

export interface FoundRecord {
  readonly record: Feature;
  readonly suggestion: Suggestion;
}

/**
 * Yields the records that the text can mean, best first, and reads them one at a time. Without `near` it prefers records near the
 * centre of `bbox`. Throws like `Dataset.search`, and `ManifestError` if a record is missing.
 */
export async function* recordsFound(
  dataset: Dataset,
  { text, near, bbox, countries, language, limit, layers, placeTerms, isWanted = () => true }: RecordsQuery,
  options: RunOptions,
): AsyncGenerator<FoundRecord> {
  const middle = bbox && { lat: (bbox[1] + bbox[3]) / 2, lon: middleOf(bbox) };
  const suggestions = await dataset.suggest(
    {
      text,
      near: near ?? middle,
      country: countries.length === 1 ? countries[0] : undefined,
      language,
      limit: limit * SPARE_RECORDS,
      inAnyLanguage: true,
      placeTerms,
      isWanted: (suggestion) =>
        LAYERS_OF_KIND[suggestion.kind].some((layer) => layers.includes(layer)) &&
        (countries.length === 0 || countries.includes(suggestion.country)) &&
        (!bbox || bboxContains(bbox, suggestion.lon, suggestion.lat)) &&
        isWanted(suggestion),
    },
    options,
  );
  for (const suggestion of suggestions) {
    const record = await recordOf(dataset, suggestion, options);
    if (layers.includes(layerOf(record))) yield { record, suggestion };
  }
}

/** Names of the town, county and state, and maybe the code of the country, above a record. */
export type Above = Readonly<Record<string, string | undefined>>;

/** Returns the primary names of the town, county and state in a record of a division; undefined where it has none. */
export function hierarchyOf({ properties }: Described): Above {
  const [first] = listOf(properties.hierarchies);
  const above = listOf(first).map(objectOf);
  const named = (subtype: string) => textOf(above.find((each) => each?.subtype === subtype)?.name);
  return { city: named("locality"), county: named("county"), state: named("region") };
}

/**
 * Returns the names of the town, county and state among the divisions at a point, and the code of the country. `divisions` must
 * be ordered with the widest first.
 */
export function aboveOf(divisions: readonly Described[], lang: string | undefined): Above {
  const named = (subtype: string) => {
    const found = divisions.find(({ properties }) => properties.subtype === subtype);
    return found && nameOf(found, lang);
  };
  return {
    city: townOf(divisions, lang),
    county: named("county"),
    state: named("region"),
    countrycode: textOf(divisions[0]?.properties.country),
  };
}

const LAYER_OF_SUBTYPE: Readonly<Record<string, Layer>> = {
  country: "country",
  dependency: "country",
  macroregion: "state",
  region: "state",
  macrocounty: "county",
  county: "county",
  localadmin: "city",
  locality: "city",
  borough: "district",
  macrohood: "district",
  neighborhood: "locality",
  microhood: "locality",
};

/** Returns whether the record is a place, or a row of a user's table, which is found as one. */
export const isPlace = ({ properties }: Described): boolean =>
  properties.type === "place" || properties.theme === "own";

/** Returns the kind of a record, as in Photon: `house` for addresses and places, `other` for unknown kinds. */
export function layerOf(record: Described): Layer {
  const { properties } = record;
  if (properties.type === "address" || isPlace(record)) return "house";
  if (properties.type === "segment") return "street";
  return LAYER_OF_SUBTYPE[String(properties.subtype)] ?? "other";
}

/** Returns the representative point of the record, lon and lat in degrees; undefined without a geometry. */
export function pointOf({ geometry }: Feature | Outlineless): readonly [number, number] | undefined {
  const [lon, lat] = (geometry && representativePoint(geometry)) ?? [];
  return lon === undefined || lat === undefined ? undefined : [lon, lat];
}

/** Returns the longitude of the middle, also of a box that crosses the antimeridian. */
function middleOf([west, , east]: BBox): number {
  const middle = (west + (west > east ? east + 360 : east)) / 2;
  return wrapLon(middle);
}
