/**
 * Photon's parameters, as its programs send them.
 * @see https://github.com/komoot/photon/blob/master/docs/api-v1.md
 * @module
 */
import * as z from "zod/mini";
import type { BBox } from "../../data/format/bbox.ts";
import { queryTermsOf } from "../../data/format/fold.ts";
import {
  bboxParameter,
  choicesParameter,
  listParameter,
  missingFaults,
  numberParameter,
  type Parameters,
  pairFaults,
  textParameter,
  type WithRequired,
} from "../search/index.ts";
import { type GeocoderPath, readGeocoder } from "./geocoder-path.ts";
import { LAYERS, type Layer } from "./located.ts";
import { allowedTagFor, OSM_TAG, type OsmTags, parseOsmTags } from "./osm-tags.ts";

const MAX_LIMIT = 50;
const MAX_TEXT = 200;

const lat = numberParameter("lat", { min: -90, max: 90, doc: "Latitude, degrees. Needs `lon`.", example: 43.7384 });
const lon = numberParameter("lon", { min: -180, max: 180, doc: "Longitude, degrees. Needs `lat`.", example: 7.4246 });
const shared = {
  lang: textParameter("lang", {
    doc: "Language of names, such as `fr`; `default` for local ones.",
    allowed: "a language code, given once",
    parse: (text) => text,
  }),
  limit: numberParameter("limit", {
    min: 1,
    integer: true,
    doc: `Maximum number of answers, at most ${MAX_LIMIT}.`,
  }),
  layer: choicesParameter("layer", LAYERS, { doc: "Kinds to return; default: all." }),
  osm_tag: listParameter("osm_tag", {
    doc: "Tags of OpenStreetMap: `key:value`, `!key:value`, or for `highway` and `place` just the key. Supported are tags with an equivalent in the data: categories of places, classes of roads and kinds of divisions. Any other is a 400.",
    example: ["amenity:pharmacy"],
    pattern: OSM_TAG,
    item: "a tag such as amenity:pharmacy or !highway",
    allowedFor: allowedTagFor,
  }),
  api_key: textParameter("api_key", {
    doc: "The API key, if a header cannot be sent.",
    allowed: "given once",
    parse: (text) => text,
  }),
};

/** Parameters that only influence ranking and writing in Photon. They have no effect here. */
const HINTS: readonly string[] = ["zoom", "location_bias_scale", "dedupe", "distance_sort", "debug", "geometry"];

const apiSchema = z.object({
  q: textParameter("q", {
    doc: "The text to look up.",
    example: "casino monaco",
    allowed: `a text of at most ${MAX_TEXT} characters with a letter or a digit`,
    maxLength: MAX_TEXT,
    parse: (text) => (queryTermsOf(text).length > 0 ? text : undefined),
  }),
  lat,
  lon,
  countrycode: listParameter("countrycode", {
    doc: "Countries of the answers, ISO 3166-1 alpha-2; case is ignored.",
    example: ["MC"],
    pattern: /^[A-Za-z]{2}$/,
    item: "an ISO 3166-1 alpha-2 code of two letters",
  }),
  bbox: bboxParameter("Box of the answers: west,south,east,north in degrees.", { isEmptyAllowed: true }),
  ...shared,
});

const reverseSchema = z.object({
  lat,
  lon,
  radius: numberParameter("radius", { min: 0, max: 5000, default: 1, doc: "Kilometres." }),
  ...shared,
});

const statusSchema = z.object({ api_key: shared.api_key });

export const PHOTON_PATHS = {
  api: {
    path: "/photon/api",
    summary: "Photon's search, for programs that use it.",
    description:
      "A GeoJSON FeatureCollection of points, best first. Photon's `zoom`, `location_bias_scale`, `dedupe`, `distance_sort`, `debug` and `geometry` are accepted and ignored.",
    schema: apiSchema,
    required: ["q"],
  },
  reverse: {
    path: "/photon/reverse",
    summary: "Photon's reverse search, for programs that use it.",
    description: "What is at the point, nearest first. Needs `lat` and `lon`.",
    schema: reverseSchema,
    required: ["lat", "lon"],
  },
  status: {
    path: "/photon/status",
    summary: "Whether the data can be read, and its date.",
    description: "The same as Photon's. A 503 when the manifest cannot be read.",
    schema: statusSchema,
    required: [],
  },
} as const satisfies Record<string, GeocoderPath>;

export interface PhotonQuery {
  readonly lang: string | undefined;
  readonly limit: number;
  readonly layers: readonly Layer[];
  readonly tags: OsmTags;
}

export interface PhotonSearch extends PhotonQuery {
  readonly text: string;
  readonly near: { readonly lat: number; readonly lon: number } | undefined;
  readonly bbox: BBox | undefined;
  /** ISO 3166-1 alpha-2 codes; empty for all countries. */
  readonly countries: readonly string[];
}

export interface PhotonReverse extends PhotonQuery {
  readonly lat: number;
  readonly lon: number;
  readonly radiusMeters: number;
}

const SEARCH_LIMIT = 15;

/** Parse the parameters of each path. They throw `ParameterError` with every fault. */
export const parsePhoton = {
  search(parameters: Parameters): PhotonSearch {
    const values = valid(PHOTON_PATHS.api, parameters);
    const { q: text, lat: latitude, lon: longitude, bbox, countrycode = [] } = values;
    const near = latitude === undefined || longitude === undefined ? undefined : { lat: latitude, lon: longitude };
    const countries = countrycode.map((code) => code.toUpperCase());
    return { text, near, bbox, countries, ...common(values, SEARCH_LIMIT) };
  },
  reverse(parameters: Parameters): PhotonReverse {
    const values = valid(PHOTON_PATHS.reverse, parameters);
    const { lat: latitude, lon: longitude, radius = 1 } = values;
    return { lat: latitude, lon: longitude, radiusMeters: radius * 1000, ...common(values, 1) };
  },
  status(parameters: Parameters): void {
    valid(PHOTON_PATHS.status, parameters);
  },
};

interface Common {
  readonly lang?: string | undefined;
  readonly limit?: number | undefined;
  readonly layer?: readonly Layer[] | undefined;
  readonly osm_tag?: readonly string[] | undefined;
}

function common({ lang, limit, layer = LAYERS, osm_tag = [] }: Common, few: number): PhotonQuery {
  return {
    lang: lang === "default" ? undefined : lang,
    limit: Math.min(MAX_LIMIT, limit ?? few),
    layers: layer,
    tags: parseOsmTags(osm_tag),
  };
}

function valid<T extends z.ZodMiniObject, const N extends string & keyof z.output<T>>(
  path: { readonly schema: T; readonly required: readonly N[] },
  parameters: Parameters,
): WithRequired<z.output<T>, N> {
  return readGeocoder(path, parameters, {
    isIgnored: (name) => HINTS.includes(name),
    faultsIn: (sent, required) => [...missingFaults(required, sent), ...pairFaults(sent, ["lat", "lon"])],
  });
}
