/**
 * Parses requests for a page of items in OGC API - Features.
 * @module
 */

import * as z from "zod/mini";
import { areaOfBox } from "../../data/format/area.ts";
import type { BBox } from "../../data/format/bbox.ts";
import type { CollectionName } from "../../data/format/collections.ts";
import type { Manifest } from "../../data/format/manifest.ts";
import { collectionIn } from "../../data/format/own-collections.ts";
import {
  choiceParameter,
  numberParameter,
  ParameterError,
  type Parameters,
  parseBBox,
  parseSearch,
  pathParameters,
  readValues,
  type Search,
  type SearchPath,
  searchPathsOf,
  textParameter,
} from "../search/index.ts";
import { DEFAULT_ITEMS, MOST_ITEMS } from "./ogc-document.ts";
import { type Filtered, type FilterLanguage, filtered, parseCql2 } from "./ogc-filter.ts";

/** Parameters of our own interface that this interface does not have, because the standard has others for them. */
const NOT_TAKEN = ["lat", "lng", "radius", "nearest", "within", "page", "format", "includes", "api_key", "types"];
export const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
const OWN = ["bbox", "datetime", "limit", "offset", "f", "filter", "filter-lang", "filter-crs"];

/** Returns the search path of our own interface that serves the collection. */
function pathOf(manifest: Manifest, name: CollectionName): SearchPath {
  const path = searchPathsOf(manifest).find(({ collections, types }) =>
    [...collections, ...(types ?? [])].includes(name),
  );
  if (!path) throw new Error(`no path serves ${name}`);
  return path;
}

/** Returns the parameters of items that are not the standard's: the filters of our own interface. */
export function parametersTaken(manifest: Manifest, name: CollectionName): readonly string[] {
  const all = Object.keys(pathParameters(pathOf(manifest, name)).shape);
  return all.filter((parameter) => ![...NOT_TAKEN, ...OWN].includes(parameter));
}

const LANGUAGES = ["cql2-text", "cql2-json"] as const satisfies readonly FilterLanguage[];

/** The standard's parameters. A `limit` above the maximum is accepted. */
const itemParameters = z.object({
  bbox: textParameter<BBox>("bbox", {
    doc: "Box that items must meet.",
    allowed: "west,south,east,north in degrees with south at most north, or the same with heights",
    parse: (text) => parseBBox(withoutHeights(text)),
  }),
  datetime: textParameter("datetime", {
    doc: "Items have no times: all of them match.",
    allowed:
      "an instant such as 2018-02-12T23:20:50Z, or an interval such as 2018-02-12T00:00:00Z/2018-03-18T12:31:12Z, of which one end may be ..",
    parse: parseDatetime,
  }),
  limit: numberParameter("limit", { min: 1, integer: true, doc: "Maximum number of items per page." }),
  offset: numberParameter("offset", { min: 0, integer: true, doc: "Items before the first requested one." }),
  f: choiceParameter("f", ["json", "geojson"], { doc: "Format of the answer." }),
  filter: textParameter("filter", { doc: "Conditions in CQL2.", allowed: "CQL2, given once", parse: (text) => text }),
  "filter-lang": choiceParameter("filter-lang", LANGUAGES, { doc: "Language of `filter`." }),
  "filter-crs": choiceParameter("filter-crs", [CRS84], { doc: "Coordinates of `filter`." }),
});

/** Maximum number of rows that a search reads to test them: some seconds of work, and 40 MB of Parquet for buildings. */
export const MOST_TESTED_ROWS = 250_000;

export interface Items {
  readonly search: Search;
  readonly limit: number;
  readonly offset: number;
}

/**
 * Returns the search for a page of a collection's items. A `limit` above `MOST_ITEMS` becomes `MOST_ITEMS`. Parameters named in
 * `besides` are allowed and ignored. Throws `ParameterError` with the faults.
 */
export function parseItems(
  manifest: Manifest,
  name: CollectionName,
  parameters: Parameters,
  besides: readonly string[] = [],
): Items {
  const path = pathOf(manifest, name);
  const taken = [...OWN, ...besides, ...parametersTaken(manifest, name), "api_key"];
  const unknown = Object.keys(parameters).filter((given) => !taken.includes(given));
  const { values, faults } = readValues(itemParameters, parameters);
  const all = [
    ...faults,
    ...unknown.map((given) => `${JSON.stringify(given)} is not a parameter here; there are ${taken.join(", ")}`),
  ];
  if (values === undefined || all.length > 0) throw new ParameterError(all);
  const sent = Object.fromEntries(
    Object.entries(parameters).filter(([given]) => ![...OWN, ...besides].includes(given)),
  );
  const { bbox, limit: most = DEFAULT_ITEMS, offset = 0, filter, "filter-lang": language = "cql2-text" } = values;
  const types = path.types ? { types: name } : {};
  const search = parseSearch(path, { ...sent, ...types }, WORLD);
  const { area: _, filters = {}, country, ...query } = search.query;
  const asked: Filtered = {
    filters,
    ...(country === undefined ? {} : { country }),
    ...(bbox ? { area: areaOfBox(bbox) } : {}),
  };
  const wanted =
    filter === undefined ? asked : filtered(collectionIn(manifest, name), parseCql2(filter, language), asked);
  const limit = Math.min(most, MOST_ITEMS);
  const page = { maxTestedRows: MOST_TESTED_ROWS, offset, limit };
  return { limit, offset, search: { ...search, query: { ...query, ...placed(wanted), ...page } } };
}

/**
 * Adds `filters` where the engine needs them: without an area they make it list items by id. With an area, empty ones would make
 * it read rows for nothing.
 */
function placed({ filters, area, ...wanted }: Filtered): Filtered | Omit<Filtered, "filters"> {
  const isFiltered = Object.keys(filters).length > 0;
  return { ...wanted, ...(area ? { area } : {}), ...(isFiltered || !area ? { filters } : {}) };
}

/** Returns four of six numbers: the third and sixth are heights, and are ignored. */
function withoutHeights(text: string): string {
  const parts = text.split(",");
  return parts.length === 6 ? [0, 1, 3, 4].map((i) => parts[i]).join(",") : text;
}

/** Replaces the location that our interface requires. */
const WORLD = areaOfBox([-180, -90, 180, 90]);

/** RFC 3339, section 5.6. A second of 60 is a leap second. */
const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** Milliseconds since 1970; undefined if it is not an instant. */
function instantOf(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hours, minutes, seconds] = match.map(Number);
  const [fraction, sign, offsetHours = 0, offsetMinutes = 0] = match.slice(7);
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  date.setUTCHours(Number(hours), Number(minutes), Number(seconds));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  return date.getTime() + Number(`0.${fraction ?? 0}`) * 1000 - (sign === "-" ? -offset : offset);
}

/** Returns the text if it has the format of the standard; otherwise undefined. */
function parseDatetime(text: string): string | undefined {
  const instants = text.split("/").map((end) => (end === "" || end === ".." ? "open" : instantOf(end)));
  if (instants.length > 2 || instants.includes(undefined) || instants.every((end) => end === "open")) return undefined;
  const [start, end] = instants;
  return typeof start === "number" && typeof end === "number" && start > end ? undefined : text;
}
