/**
 * Nominatim's parameters, as its programs send them.
 * @see https://nominatim.org/release-docs/latest/api/Overview/
 * @module
 */
import * as z from "zod/mini";
import type { BBox } from "../../data/format/bbox.ts";
import { queryTermsOf } from "../../data/format/fold.ts";
import {
  choiceParameter,
  choicesParameter,
  listParameter,
  numberParameter,
  ParameterError,
  type Parameters,
  parseBBox,
  textParameter,
  type WithRequired,
} from "../search/index.ts";
import { type GeocoderPath, readGeocoder } from "./geocoder-path.ts";
import { LAYERS, type Layer } from "./located.ts";

const FORMATS = ["json", "jsonv2", "geojson", "geocodejson"] as const;
type NominatimFormat = (typeof FORMATS)[number];

const MAX_LIMIT = 40;
const DEFAULT_LIMIT = 10;
/** Outlines take up to a megabyte each. */
const MAX_OUTLINES = 10;
const MAX_TEXT = 200;
const MAX_IDS = 50;
const MAX_EXCLUDED = 1000;

/** The closest zoom: a building. */
const MAX_ZOOM = 18;

/** A flag as in Nominatim: every value but 0 sets it. */
const flag = (name: string, doc: string, byDefault: "0" | "1" = "0") =>
  textParameter<boolean>(name, {
    doc: `${doc} \`0\` is no, any other value is yes; default \`${byDefault}\`.`,
    example: "1",
    allowed: "given once",
    parse: (text) => text !== "0",
  });
const words = (name: string, doc: string, example?: string) =>
  textParameter(name, {
    doc,
    ...(example === undefined ? {} : { example }),
    allowed: `a text of at most ${MAX_TEXT} characters`,
    maxLength: MAX_TEXT,
    parse: (text) => text,
  });

const shared = {
  format: choiceParameter("format", FORMATS, {
    default: "jsonv2",
    doc: "Format of the body. `xml`, Nominatim's default of `reverse` and `lookup`, is not available.",
  }),
  "accept-language": words(
    "accept-language",
    "Language of names, such as `fr`. Of several, the first one is used. The header of this name has no effect.",
    "fr",
  ),
  extratags: flag("extratags", "Whether results have `extratags`: website, telephone, brand, Wikidata."),
  namedetails: flag("namedetails", "Whether results have `namedetails`: the name in each language."),
  polygon_geojson: flag(
    "polygon_geojson",
    `Whether results have their geometry; that of a division is its outline. \`limit\` is then at most ${MAX_OUTLINES}.`,
  ),
  api_key: textParameter("api_key", {
    doc: "The API key, if a header cannot be sent.",
    allowed: "given once",
    parse: (text) => text,
  }),
};
const addressdetails = (byDefault: "0" | "1") =>
  flag("addressdetails", "Whether results have `address`, the parts of their address.", byDefault);

/** They ask for a format that is not available, unless they are 0. */
const REFUSED: readonly string[] = ["json_callback", "polygon_text", "polygon_kml", "polygon_svg"];

const STRUCTURED = ["amenity", "street", "city", "county", "state", "postalcode", "country"] as const;
const FEATURE_TYPES = ["country", "state", "city", "settlement"] as const;
const LAYERS_OF_TYPE: Readonly<Record<(typeof FEATURE_TYPES)[number], readonly Layer[]>> = {
  country: ["country"],
  state: ["state"],
  city: ["city"],
  settlement: ["city", "district", "locality", "county", "state", "country", "other"],
};
const featureType = (name: string) =>
  choiceParameter(name, FEATURE_TYPES, { doc: "Kind of divisions; without it all records are found." });
const layer = choicesParameter("layer", ["address", "poi"], {
  doc: "`address` are addresses, streets and divisions, `poi` are places. Default: both. Other layers are a 400.",
});

const searchSchema = z.object({
  q: textParameter("q", {
    doc: "The text to look up.",
    example: "casino monaco",
    allowed: `a text of at most ${MAX_TEXT} characters with a letter or a digit`,
    maxLength: MAX_TEXT,
    parse: (text) => (queryTermsOf(text).length > 0 ? text : undefined),
  }),
  amenity: words("amenity", "Instead of `q`: name or category of a place."),
  street: words("street", "Instead of `q`: house number and street."),
  city: words("city", "Instead of `q`: town."),
  county: words("county", "Instead of `q`: county."),
  state: words("state", "Instead of `q`: state."),
  country: words("country", "Instead of `q`: country, by name or code."),
  postalcode: words("postalcode", "Instead of `q`: postcode."),
  limit: numberParameter("limit", {
    min: 1,
    integer: true,
    default: DEFAULT_LIMIT,
    doc: `Maximum number of results, at most ${MAX_LIMIT}.`,
  }),
  countrycodes: listParameter("countrycodes", {
    doc: "Countries of the results, ISO 3166-1 alpha-2; case is ignored.",
    example: ["mc"],
    pattern: /^[A-Za-z]{2}$/,
    item: "an ISO 3166-1 alpha-2 code of two letters",
  }),
  viewbox: textParameter<BBox>("viewbox", {
    doc: "Two opposite corners, x1,y1,x2,y2 in degrees: results near the centre rank higher.",
    example: "7.40,43.72,7.44,43.76",
    allowed: "x1,y1,x2,y2 in degrees, two opposite corners",
    parse: parseViewbox,
  }),
  bounded: flag("bounded", "Whether to return only results in `viewbox`."),
  exclude_place_ids: listParameter("exclude_place_ids", {
    doc: "Values of `place_id` that are not returned, such as those of results before.",
    pattern: /^\d{1,16}$/,
    item: "a place_id of an earlier result",
    allowedFor: () => undefined,
  }),
  featureType: featureType("featureType"),
  featuretype: featureType("featuretype"),
  layer,
  addressdetails: addressdetails("0"),
  ...shared,
});

const reverseSchema = z.object({
  lat: numberParameter("lat", { min: -90, max: 90, doc: "Latitude, degrees.", example: 43.7384 }),
  lon: numberParameter("lon", { min: -180, max: 180, doc: "Longitude, degrees.", example: 7.4246 }),
  zoom: numberParameter("zoom", {
    integer: true,
    default: MAX_ZOOM,
    doc: "What to return: 3 a country, 5 a state, 8 a county, 10 a town, 14 a neighbourhood, 16 a street, 18 a house or a place.",
  }),
  layer,
  addressdetails: addressdetails("1"),
  ...shared,
});

const lookupSchema = z.object({
  osm_ids: listParameter("osm_ids", {
    doc: `At most ${MAX_IDS} values of \`id\` in results. The data has no index of the ids of OpenStreetMap, such as \`W104393803\`: they are a 400.`,
    item: "an id of a result",
    allowedFor: (id) =>
      /^[nwr]\d+$/i.test(id) ? "ids of results here, as ids of OpenStreetMap cannot be looked up" : undefined,
  }),
  addressdetails: addressdetails("1"),
  ...shared,
});

const statusSchema = z.object({
  format: choiceParameter("format", ["text", "json"], { default: "text", doc: "Format of the body." }),
  api_key: shared.api_key,
});

const ALIKE =
  "The answer has the format of Nominatim; errors are `{error: {code, message}}`. `json_callback`, `polygon_text`, `polygon_kml` and `polygon_svg` are a 400. Other unknown parameters have no effect.";

export const NOMINATIM_PATHS = {
  search: {
    path: "/nominatim/search",
    summary: "Nominatim's search, for programs that use it.",
    description: `What a text or an address can mean, best first. Needs \`q\` or parts of an address. ${ALIKE}`,
    schema: searchSchema,
    required: [],
  },
  reverse: {
    path: "/nominatim/reverse",
    summary: "Nominatim's reverse search, for programs that use it.",
    description: `One record at the point: of which kind, \`zoom\` says. Without a record the answer is \`{"error": "Unable to geocode"}\`. ${ALIKE}`,
    schema: reverseSchema,
    required: ["lat", "lon"],
  },
  lookup: {
    path: "/nominatim/lookup",
    summary: "Nominatim's look-up of ids, for programs that use it.",
    description: `The records with the ids, without unknown ones. ${ALIKE}`,
    schema: lookupSchema,
    required: ["osm_ids"],
  },
  status: {
    path: "/nominatim/status",
    summary: "Whether the data can be read, as Nominatim answers it.",
    description: "`OK`, or with `format=json` also the date of the data. A 503 when the manifest cannot be read.",
    schema: statusSchema,
    required: [],
  },
} as const satisfies Record<string, GeocoderPath>;

/** What a result contains. */
export interface NominatimShown {
  readonly format: NominatimFormat;
  readonly language: string | undefined;
  readonly hasAddress: boolean;
  readonly hasTags: boolean;
  readonly hasNames: boolean;
  readonly hasOutline: boolean;
}

export interface NominatimSearch {
  readonly text: string;
  readonly countries: readonly string[];
  readonly viewbox: BBox | undefined;
  readonly isBounded: boolean;
  readonly limit: number;
  readonly layers: readonly Layer[];
  /** Whether places are wanted. */
  readonly hasPlaces: boolean;
  /** Whether addresses, streets and divisions are wanted. */
  readonly hasAddresses: boolean;
  readonly excluded: ReadonlySet<number>;
  readonly shown: NominatimShown;
}

export interface NominatimReverse {
  readonly lat: number;
  readonly lon: number;
  readonly zoom: number;
  readonly hasPlaces: boolean;
  readonly hasAddresses: boolean;
  readonly shown: NominatimShown;
}

export interface NominatimLookup {
  readonly ids: readonly string[];
  readonly shown: NominatimShown;
}

/** Parse the parameters of each path. They throw `ParameterError` for parameters that are not allowed. */
export const parseNominatim = {
  search(parameters: Parameters): NominatimSearch {
    const values = valid(NOMINATIM_PATHS.search, parameters);
    const { q, limit = DEFAULT_LIMIT, countrycodes = [], viewbox, layer: wanted, exclude_place_ids = [] } = values;
    const parts = STRUCTURED.flatMap((name) => values[name] ?? []);
    if (q !== undefined && parts.length > 0) {
      const names = STRUCTURED.join(", ");
      throw new ParameterError([`Structured query parameters (${names}) cannot be used together with 'q' parameter.`]);
    }
    const text = q ?? parts.join(", ");
    if (queryTermsOf(text).length === 0) throw new ParameterError(["Nothing to search for."]);
    if (exclude_place_ids.length > MAX_EXCLUDED) {
      throw new ParameterError([`exclude_place_ids must be at most ${MAX_EXCLUDED}, got ${exclude_place_ids.length}`]);
    }
    const shown = shownBy(values, false);
    const type = values.featureType ?? values.featuretype;
    return {
      text,
      countries: countrycodes.map((code) => code.toUpperCase()),
      viewbox,
      isBounded: values.bounded ?? false,
      limit: Math.min(limit, shown.hasOutline ? MAX_OUTLINES : MAX_LIMIT),
      layers: type === undefined ? LAYERS : LAYERS_OF_TYPE[type],
      ...kindsOf(wanted),
      excluded: new Set(exclude_place_ids.map(Number)),
      shown,
    };
  },
  reverse(parameters: Parameters): NominatimReverse {
    const values = valid(NOMINATIM_PATHS.reverse, parameters);
    const { lat, lon, zoom = MAX_ZOOM, layer: wanted } = values;
    const shown = shownBy(values, true);
    return { lat, lon, zoom: Math.min(MAX_ZOOM, Math.max(0, zoom)), ...kindsOf(wanted), shown };
  },
  lookup(parameters: Parameters): NominatimLookup {
    const values = valid(NOMINATIM_PATHS.lookup, parameters);
    const ids = [...new Set(values.osm_ids)];
    if (ids.length > MAX_IDS) throw new ParameterError(["Too many object IDs."]);
    return { ids, shown: shownBy(values, true) };
  },
  status(parameters: Parameters): "text" | "json" {
    return valid(NOMINATIM_PATHS.status, parameters).format ?? "text";
  },
};

function kindsOf(wanted: readonly ("address" | "poi")[] = ["address", "poi"]) {
  return { hasPlaces: wanted.includes("poi"), hasAddresses: wanted.includes("address") };
}

interface Shared {
  readonly format?: NominatimFormat | undefined;
  readonly "accept-language"?: string | undefined;
  readonly addressdetails?: boolean | undefined;
  readonly extratags?: boolean | undefined;
  readonly namedetails?: boolean | undefined;
  readonly polygon_geojson?: boolean | undefined;
}

function shownBy(values: Shared, hasAddressByDefault: boolean): NominatimShown {
  const { format = "jsonv2", addressdetails, extratags, namedetails, polygon_geojson } = values;
  return {
    format,
    language: languageOf(values["accept-language"]),
    hasAddress: addressdetails ?? hasAddressByDefault,
    hasTags: extratags ?? false,
    hasNames: namedetails ?? false,
    hasOutline: polygon_geojson ?? false,
  };
}

/** Returns the first language of a list such as `fr-CH, fr;q=0.9`. */
function languageOf(list: string | undefined): string | undefined {
  const [first = ""] = (list ?? "").split(/[,;]/);
  return /^\s*([a-z]{2,3}(?:-[a-z0-9]{2,8})*)\s*$/i.exec(first)?.[1];
}

/** Parses a box by any two opposite corners. Undefined for any other text. */
function parseViewbox(text: string): BBox | undefined {
  const [x1, y1, x2, y2, ...others] = text.split(",").map((part) => part.trim());
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined || others.length > 0)
    return undefined;
  const [west, east] = Number(x1) <= Number(x2) ? [x1, x2] : [x2, x1];
  const [south, north] = Number(y1) <= Number(y2) ? [y1, y2] : [y2, y1];
  return parseBBox([west, south, east, north].join(","));
}

function valid<T extends z.ZodMiniObject, const N extends string & keyof z.output<T>>(
  path: { readonly schema: T; readonly required: readonly N[] },
  parameters: Parameters,
): WithRequired<z.output<T>, N> {
  return readGeocoder(path, parameters, {
    isIgnored: (name, value) => !Object.hasOwn(path.schema.shape, name) && !(REFUSED.includes(name) && value !== "0"),
    faultsIn: (sent, required) =>
      required.filter((name) => !sent.has(name)).map((name) => `Parameter '${name}' missing.`),
  });
}
