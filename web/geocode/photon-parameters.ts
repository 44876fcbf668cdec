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
  numberParameter,
  ParameterError,
  type Parameters,
  pairFaults,
  readValues,
  textParameter,
} from "../search/index.ts";

/** Photon's kinds of what is found. */
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

export interface PhotonPath {
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: z.ZodMiniObject;
}

const MAX_LIMIT = 50;
const MAX_TEXT = 200;

const lat = numberParameter("lat", { min: -90, max: 90, doc: "Latitude, degrees. Needs `lon`.", example: 43.7384 });
const lon = numberParameter("lon", { min: -180, max: 180, doc: "Longitude, degrees. Needs `lat`.", example: 7.4246 });
const shared = {
  lang: textParameter("lang", {
    doc: "Language of names, such as `fr`; `default` for local ones.",
    allowed: "a language's code, given once",
    parse: (text) => text,
  }),
  limit: numberParameter("limit", {
    min: 1,
    integer: true,
    doc: `Most answers; more than ${MAX_LIMIT} are not given.`,
  }),
  layer: choicesParameter("layer", LAYERS, { doc: "Kinds that are wanted; all when left out." }),
};

const apiSchema = z.object({
  q: textParameter("q", {
    doc: "What is looked for.",
    example: "casino monaco",
    allowed: `a text of at most ${MAX_TEXT} characters with a letter or a digit`,
    parse: (text) => (text.length <= MAX_TEXT && queryTermsOf(text).length > 0 ? text : undefined),
  }),
  lat,
  lon,
  bbox: bboxParameter("Box that answers lie in: west,south,east,north in degrees."),
  ...shared,
});

const reverseSchema = z.object({
  lat,
  lon,
  radius: numberParameter("radius", { min: 0, max: 5000, default: 1, doc: "Kilometres." }),
  ...shared,
});

export const PHOTON_PATHS = {
  api: {
    path: "/photon/api",
    summary: "Photon's search, for programs that speak it.",
    description: "A GeoJSON FeatureCollection of points, best first. Other parameters of Photon's are not looked at.",
    schema: apiSchema,
  },
  reverse: {
    path: "/photon/reverse",
    summary: "Photon's reverse search, for programs that speak it.",
    description: "What is at the point, the nearest first. Needs `lat` and `lon`.",
    schema: reverseSchema,
  },
} as const satisfies Record<string, PhotonPath>;

export interface PhotonQuery {
  readonly lang: string | undefined;
  readonly limit: number;
  readonly layers: readonly Layer[];
}

export interface PhotonSearch extends PhotonQuery {
  readonly text: string;
  readonly near: { readonly lat: number; readonly lon: number } | undefined;
  readonly bbox: BBox | undefined;
}

export interface PhotonReverse extends PhotonQuery {
  readonly lat: number;
  readonly lon: number;
  readonly radiusMeters: number;
}

const SEARCH_LIMIT = 15;

/** What Photon has and means nothing here, such as `osm_tag`, is not looked at: its programs send it unasked. */
export const parsePhoton = {
  search(parameters: Parameters): PhotonSearch {
    const values = valid(apiSchema, parameters);
    const { q: text, lat: latitude, lon: longitude, bbox } = values;
    if (text === undefined) throw new ParameterError(["q is required, got nothing"]);
    const near = latitude === undefined || longitude === undefined ? undefined : { lat: latitude, lon: longitude };
    return { text, near, bbox, ...common(values, SEARCH_LIMIT) };
  },
  reverse(parameters: Parameters): PhotonReverse {
    const values = valid(reverseSchema, parameters);
    const { lat: latitude, lon: longitude, radius = 1 } = values;
    if (latitude === undefined || longitude === undefined)
      throw new ParameterError(["lat and lon are required, got neither"]);
    return { lat: latitude, lon: longitude, radiusMeters: radius * 1000, ...common(values, 1) };
  },
};

type Common = { lang?: string | undefined; limit?: number | undefined; layer?: readonly Layer[] | undefined };

function common({ lang, limit, layer = LAYERS }: Common, few: number): PhotonQuery {
  return { lang: lang === "default" ? undefined : lang, limit: Math.min(MAX_LIMIT, limit ?? few), layers: layer };
}

/** Empty ones count as left out: some programs send all that they know. */
function valid<T extends z.ZodMiniType>(schema: T, parameters: Parameters): z.output<T> {
  const sent = new Map(Object.entries(parameters).filter(([, value]) => value !== ""));
  const { values, faults } = readValues(schema, Object.fromEntries(sent));
  const all = [...faults, ...pairFaults(sent, ["lat", "lon"])];
  if (values === undefined || all.length > 0) throw new ParameterError(all);
  return values;
}
