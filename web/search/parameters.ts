/**
 * Every query parameter, defined once: validation, the OpenAPI document and the reference use these definitions.
 * @module
 */

import * as z from "zod/mini";
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import { FILTER_DOCS } from "../../data/format/filter-docs.ts";
import { FILTERS, type Filter, type FilterName, mayIncludeUnknown } from "../../data/format/filters.ts";
import { queryTermsOf } from "../../data/format/fold.ts";
import { DEFAULT_RADIUS_METERS, MAX_PAGE_RECORDS } from "../../data/format/limits.ts";
import { mayIncludeUnknown as mayIncludeUnknownOf, type OwnFilter, ownFilters } from "../../data/format/own-filters.ts";
import type { OwnSchema } from "../../data/format/own-schema.ts";
import type { Countries, Grouping } from "../engine/index.ts";
import { FORMAT_NAMES } from "./formats.ts";
import { type OwnParameter, parameterOf } from "./own-path.ts";
import {
  choiceParameter,
  choicesParameter,
  flagParameter,
  listParameter,
  numberParameter,
  numbersParameter,
  textParameter,
} from "./values.ts";

export const DEFAULT_LIMIT = 1000;
export const DEFAULT_TEXT_LIMIT = 10;

const MAX_TEXT = 200;

const FOUR_NUMBERS = /^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)\s*(,\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)\s*){3}$/;

const NOT_BLANK = /\S/;

/** As many countries as a continent has. Each takes requests of its own. */
const MAX_COUNTRIES = 60;

/** Returns the country of a text such as `MC`, or the countries of `MC,GB`, each once, sorted. Undefined above 60 countries. */
function countriesOf(text: string): Countries | undefined {
  const codes = [
    ...new Set(
      text
        .toUpperCase()
        .split(",")
        .map((code) => code.trim()),
    ),
  ].sort();
  if (codes.length > MAX_COUNTRIES) return undefined;
  return codes.length === 1 ? codes[0] : codes;
}

const COUNTRY = {
  example: "MC",
  allowed: "an ISO 3166-1 alpha-2 code of two letters",
  pattern: /^[A-Za-z]{2}$/,
  parse: (text: string) => text.toUpperCase(),
};

const UNKNOWN_DOC =
  "Names of filters that also find the records without a value in their column. With the name of one bound, this holds for both bounds of the column.";

const PARAMETERS = {
  lat: numberParameter("lat", {
    min: -90,
    max: 90,
    doc: "Latitude of the centre, degrees. Needs `lng`.",
    example: 40.015,
  }),
  lng: numberParameter("lng", {
    min: -180,
    max: 180,
    doc: "Longitude of the centre, degrees. Needs `lat`.",
    example: -105.27,
  }),
  radius: numberParameter("radius", {
    min: 1,
    default: DEFAULT_RADIUS_METERS,
    doc: "Radius around the centre, metres, inclusive.",
  }),
  nearest: numberParameter("nearest", {
    min: 1,
    max: MAX_PAGE_RECORDS,
    integer: true,
    doc: "Instead of `radius`: this number of records, the nearest ones, at any distance. Needs `lat` and `lng`.",
    example: 5,
  }),
  country: textParameter("country", {
    example: "MC",
    allowed: `an ISO 3166-1 alpha-2 code of two letters, or at most ${MAX_COUNTRIES} with commas`,
    pattern: /^ *[A-Za-z]{2} *(, *[A-Za-z]{2} *)*$/,
    maxLength: 5 * MAX_COUNTRIES,
    parse: countriesOf,
    doc: `Country, ISO 3166-1 alpha-2; case is ignored. At most ${MAX_COUNTRIES} with commas (\`FR,DE\`) find the records of any of them. With \`lat\` and \`lng\` both must hold.`,
  }),
  limit: limitParameter(DEFAULT_LIMIT),
  page: numberParameter("page", { min: 0, integer: true, default: 0, doc: "Page number, from 0." }),
  release: textParameter("release", {
    doc: "Release of the dataset that answers: the current one, or an older one whose files it keeps. The links to other pages contain it. Any other release is an error (409). Default: the current one.",
    example: "2026-10-21.0",
    allowed: "the name of a release, given once",
    maxLength: MAX_TEXT,
    pattern: NOT_BLANK,
    isTrimmed: true,
    parse: (text) => text,
  }),
  format: choiceParameter("format", FORMAT_NAMES, {
    default: "json",
    doc: "Format of the body. `geojsonl` is a GeoJSON feature per line; `spreadsheet` is CSV with a byte order mark and the distance, safe for spreadsheets; `gpx` has a waypoint per record; `flatgeobuf` and `geoparquet` are binary.",
  }),
  includes: listParameter("includes", {
    doc: "Names of the `properties` to keep in addition to `id`; unknown names are ignored. `includes[]` is the same.",
    example: ["names"],
    isEmptyAllowed: true,
  }),
  within: textParameter("within", {
    doc: "Id of a division or a division area: selects records that meet its outline, nearest to its representative point first. A `POST` of a polygon as `application/geo+json` does the same for any area.",
    allowed: "the id of a division, given once",
    pattern: NOT_BLANK,
    isTrimmed: true,
    parse: (text) => text,
  }),
  since: textParameter("since", {
    doc: "Name of an older release in the dataset.",
    example: "2026-10-21.0",
    allowed: "the name of a release, given once",
    pattern: NOT_BLANK,
    isTrimmed: true,
    parse: (text) => text,
  }),
  text: textParameter("text", {
    doc: "The typed text: words of names, categories and towns in any order. The last word may be incomplete. Misspellings are corrected.",
    example: "pharmacy monaco",
    allowed: `a text of at most ${MAX_TEXT} characters with a letter or a digit`,
    maxLength: MAX_TEXT,
    parse: (text) => (queryTermsOf(text).length > 0 ? text.trim() : undefined),
  }),
  language: textParameter("language", {
    doc: "Language of names, if the record has it: a code of `names.common`.",
    example: "fr",
    allowed: "a language code such as fr or zh-Hant",
    pattern: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
    parse: (text) => text,
  }),
  enrichment_fields: listParameter("enrichment_fields", {
    doc: "Values that the public service adds from data that is not Overture's, such as `brand`. A dataset contains no such values: records are unchanged.",
    example: ["brand"],
    isEmptyAllowed: true,
  }),
  api_key: textParameter("api_key", {
    doc: "The API key, if a header cannot be sent.",
    allowed: "given once",
    parse: (text) => text,
  }),
  ...filterParameters(),
  include_unknown: listParameter("include_unknown", { doc: UNKNOWN_DOC }),
  bbox: bboxParameter(
    "Box that the geometry must meet, edges included: xmin,ymin,xmax,ymax in degrees; xmin > xmax crosses the antimeridian.",
  ),
  include_divisions: flagParameter("include_divisions", {
    default: true,
    doc: "Whether to return the divisions that contain the point. This reads the parts of their outlines near the point.",
  }),
  include_geometry: flagParameter("include_geometry", {
    default: true,
    doc: "Whether records have their geometry; otherwise `geometry` is null.",
  }),
};

function filterParameters(): { readonly [N in FilterName]: FilterParameter } {
  const names = Object.keys(FILTERS) as FilterName[];
  const entries = names.map(
    (name) => [name, filterParameter(name, { ...FILTERS[name], doc: FILTER_DOCS[name] })] as const,
  );
  return Object.fromEntries(entries) as { readonly [N in FilterName]: FilterParameter };
}

function filterParameter(name: FilterName, filter: Filter & { readonly doc: string }) {
  switch (filter.kind) {
    case "words":
      return textParameter(name, { ...filter, parse: (text) => (filter.isValid(text) ? text : undefined) });
    case "text":
      return textParameter(name, { ...filter, isTrimmed: true, parse: (text) => text });
    case "list":
      return listParameter(name, filter);
    case "choices":
      return choicesParameter(name, filter.choices, filter);
    case "integers":
      return numbersParameter(name, { ...filter, integer: true });
    case "least":
    case "most":
      return numberParameter(name, filter);
  }
}

type FilterParameter = ReturnType<typeof filterParameter>;

export type ParameterName = keyof typeof PARAMETERS;

/** The radius without a default in the OpenAPI document: generated clients would send the default together with `nearest`. */
const NEAREST_PARAMETERS = {
  radius: numberParameter("radius", {
    min: 1,
    doc: `Radius around the centre, metres, inclusive. ${DEFAULT_RADIUS_METERS} if neither it nor \`nearest\` is sent.`,
  }),
};

/** Parameters that mean something else for counts, which have neither geometry nor `properties`. */
const COUNT_PARAMETERS = {
  format: choiceParameter("format", ["json", "csv"], {
    default: "json",
    doc: "Format of the body. Counts have no geometry, and so no GeoJSON.",
  }),
  includes: listParameter("includes", {
    doc: "Names of the `properties` to keep. Counts have none, so it has no effect.",
    example: ["names"],
    isEmptyAllowed: true,
  }),
};

/** Parameters that mean something else for text searches, which return few results. */
const TEXT_PARAMETERS = {
  limit: numberParameter("limit", {
    min: 1,
    max: 50,
    integer: true,
    default: DEFAULT_TEXT_LIMIT,
    doc: "Maximum number of answers.",
  }),
  lat: numberParameter("lat", {
    min: -90,
    max: 90,
    doc: "Latitude, degrees: nearer results rank higher. Needs `lng`.",
    example: 43.7384,
  }),
  lng: numberParameter("lng", {
    min: -180,
    max: 180,
    doc: "Longitude, degrees: nearer results rank higher. Needs `lat`.",
    example: 7.4246,
  }),
  country: textParameter("country", {
    ...COUNTRY,
    doc: "Country for places, streets and addresses. Default: where the text says and around `lat` and `lng`, otherwise all countries, those with the most rows first, up to 1 MB of files.",
  }),
  format: choiceParameter("format", ["json", "geojson"], { default: "json", doc: "Format of the body." }),
};

/** Changes have few columns, and so no CSV. */
const CHANGES_PARAMETERS = {
  format: choiceParameter("format", ["json", "geojson"], { default: "json", doc: "Format of the body." }),
};

function typesParameter(types: readonly [CollectionName, ...CollectionName[]], collections: readonly CollectionName[]) {
  return choicesParameter("types", types, { default: collections, doc: "Which types to search." });
}

type Shape = typeof PARAMETERS & { readonly types: ReturnType<typeof typesParameter> };

/** The values of a request. Parameters that the path does not accept are undefined. */
export type SearchValues = { readonly [K in keyof Shape]?: z.output<Shape[K]> };

type PathSchema = z.ZodMiniObject<Shape, z.core.$strict>;

/** A path of the REST interface with the parameters that it accepts. */
export interface ParameterPath {
  readonly parameters: readonly ParameterName[];
  /** Parameters that every request must have. */
  readonly required?: readonly ParameterName[];
  readonly collections?: readonly CollectionName[];
  readonly types?: readonly [CollectionName, ...CollectionName[]];
  readonly by?: Grouping;
  /** Schema of a collection of one's own. Its columns are parameters too. */
  readonly own?: OwnSchema;
}

// zod caches data per schema for ever: new schemas per request would fill memory
const schemas = new WeakMap<ParameterPath, PathSchema>();

/** Returns the parameters of a path as one schema, always the same for a path. */
export function pathParameters(path: ParameterPath): PathSchema {
  const schema = schemas.get(path) ?? makeSchema(path);
  schemas.set(path, schema);
  return schema;
}

function overridesOf(parameters: readonly ParameterName[]) {
  if (parameters.includes("text")) return TEXT_PARAMETERS;
  if (parameters.includes("nearest")) return NEAREST_PARAMETERS;
  return parameters.includes("since") ? CHANGES_PARAMETERS : {};
}

/** Names of the filters that `include_unknown` may name. */
function unknownNames({ parameters, own }: ParameterPath): readonly string[] {
  const fixed = parameters.filter((name) => name in FILTERS && mayIncludeUnknown(FILTERS[name as FilterName]));
  const columns = own ? ownFiltersOf(own).filter(mayIncludeUnknownOf) : [];
  return [...fixed, ...columns.map(({ name }) => name)];
}

function unknownParameter(path: ParameterPath) {
  const [first, ...others] = path.parameters.includes("include_unknown") ? unknownNames(path) : [];
  if (first === undefined) return {};
  return { include_unknown: choicesParameter("include_unknown", [first, ...others], { doc: UNKNOWN_DOC }) };
}

function makeSchema(path: ParameterPath): PathSchema {
  const { parameters, types, collections = [], by, own } = path;
  const known = {
    ...PARAMETERS,
    ...(by === undefined ? {} : COUNT_PARAMETERS),
    ...overridesOf(parameters),
    ...unknownParameter(path),
  };
  const shape = {
    ...Object.fromEntries(parameters.map((name) => [name, known[name]])),
    ...(types ? { types: typesParameter(types, collections) } : {}),
    ...(own ? Object.fromEntries(Array.from(ownParameters(own), ([name, { schema }]) => [name, schema])) : {}),
  };
  return z.strictObject(shape) as PathSchema;
}

const ownParametersOf = new WeakMap<OwnSchema, ReadonlyMap<string, OwnParameter>>();

/** Returns the parameters for the columns of a collection with its own schema, by parameter name. */
export function ownParameters(schema: OwnSchema): ReadonlyMap<string, OwnParameter> {
  const known = ownParametersOf.get(schema);
  if (known) return known;
  const parameters = new Map(ownFiltersOf(schema).map((filter) => [filter.name, parameterOf(filter)]));
  ownParametersOf.set(schema, parameters);
  return parameters;
}

/** Names of parameters that are not in `PARAMETERS`. */
const OTHER_NAMES = ["types", "includes[]", "what", "group", "level", "ids"];

/** Returns the filters for the columns of a collection with its own schema. No filter has the name of another parameter. */
export function ownFiltersOf(schema: OwnSchema): readonly OwnFilter[] {
  return ownFilters(schema, (name) => name in PARAMETERS || OTHER_NAMES.includes(name) || name.startsWith("c."));
}

/**
 * Returns the parameter `bbox`: west, south, east and north in degrees, with commas. West is greater than east if the box crosses
 * the antimeridian.
 */
export function bboxParameter(doc: string, { isEmptyAllowed = false } = {}) {
  return textParameter<BBox>("bbox", {
    doc,
    example: "7.40,43.72,7.44,43.76",
    allowed: "xmin,ymin,xmax,ymax in degrees with ymin at most ymax",
    pattern: isEmptyAllowed ? new RegExp(`^$|${FOUR_NUMBERS.source}`) : FOUR_NUMBERS,
    parse: parseBBox,
  });
}

/**
 * Parses `xmin,ymin,xmax,ymax` in degrees. Returns undefined for other texts, values off the earth, and `ymin` above `ymax`.
 * `xmin` may be above `xmax`: such a box crosses the antimeridian.
 */
export function parseBBox(text: string): BBox | undefined {
  if (!FOUR_NUMBERS.test(text)) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = text.split(",").map(Number);
  const isOnEarth = [west, east].every((lon) => Math.abs(lon) <= 180) && south >= -90 && north <= 90;
  return isOnEarth && south <= north ? [west, south, east, north] : undefined;
}

/** Returns the parameter `limit`: the maximum number of records on a page, from 1 to `MAX_PAGE_RECORDS`. */
export function limitParameter(byDefault: number) {
  return numberParameter("limit", {
    min: 1,
    max: MAX_PAGE_RECORDS,
    integer: true,
    default: byDefault,
    doc: "Page size.",
  });
}
