/** A search of the page, and its two URLs: the page's own (after `#`) and the REST one. @module */

import { DEFAULT_RADIUS_METERS, MAX_PAGE_RECORDS, MAX_RADIUS_METERS } from "../../../data/format/limits.ts";
import { isOwnName } from "../../../data/format/own-collections.ts";
import type { SearchArgument } from "../../hosts/browser/protocol/index.ts";
import { areaOf, type DrawnArea, formatDrawnArea, parseDrawnArea } from "../../map/drawn-area.ts";
import { type Centre, coordinate, numberBetween, parseLatLon } from "./coordinates.ts";
import { allowedValue, type Filters, filtersOf, isLocated, keptFilters, parseFilter } from "./filters.ts";
import { columnsOf, isPath, ownFiltersOf, PATHS, type Path } from "./paths.ts";
import { formatRecordAddress, parseRecordAddress, type RecordAddress } from "./record-address.ts";

export const PAGE_SIZES = [25, 100, 1000, MAX_PAGE_RECORDS] as const;
type PageSize = (typeof PAGE_SIZES)[number];

/**
 * Order of results: `name`, `confidence`, or a column of a collection with its own schema, such as `Price`, or `-Price` with the
 * highest first.
 */
export type Sort = string;

export const MIN_RADIUS_METERS = 1;
export { MAX_RADIUS_METERS };

/**
 * What the page searches. It can run if it has a centre, an area, a country, or filters that replace them. It never has both a
 * centre and an area.
 */
export interface Search {
  readonly path: Path;
  readonly centre: Centre | undefined;
  readonly radiusMeters: number;
  readonly area?: DrawnArea;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | undefined;
  /** Values by name of the filter; only filters that the path accepts. */
  readonly filters: Filters;
  /** Order of results instead of the default one; only orders that the path supports. */
  readonly sort?: Sort | undefined;
  /** Whether only records that are open now are listed; only for collections with opening hours. */
  readonly isOpenNow?: boolean | undefined;
  /** Number of the page, from 0. */
  readonly page: number;
  readonly limit: PageSize;
}

/** The visible part of the map, if the user has moved it. */
export interface View extends Centre {
  readonly zoom: number;
  /** Degrees clockwise from north. Left out: north is up. */
  readonly bearing?: number;
  /** Degrees from straight down. Left out: seen from above. */
  readonly pitch?: number;
}

/** Maximum tilt of the map in degrees. Nearer to the horizon a map needs too many tiles. */
export const MAX_PITCH = 60;

export interface PageState {
  readonly search: Search | undefined;
  /** Id of the record of the search whose detail is open. */
  readonly record: string | undefined;
  /** Record that was opened by its own URL, without a search. */
  readonly alone?: RecordAddress | undefined;
  /** Whether the list of areas that the site offers for offline use is open. */
  readonly isAtPacks?: boolean;
  readonly view: View | undefined;
  /** Name of the location around which the search is. */
  readonly around?: string | undefined;
  /** The column by which results are coloured on the map. */
  readonly colourBy?: string | undefined;
}

/** The search before the user chooses anything. */
export const EMPTY_SEARCH: Search = {
  path: PATHS[0],
  centre: undefined,
  radiusMeters: DEFAULT_RADIUS_METERS,
  country: undefined,
  filters: {},
  page: 0,
  limit: PAGE_SIZES[0],
};

const PACKS = "packs";
/** Maximum length of names in the URL; longer ones are cut. */
const MOST_NAME_CHARS = 100;

/** Returns whether the search has a location, or filters that replace it, and so can be run. */
export function isComplete({ centre, area, country, path, filters }: Search): boolean {
  return [centre, area, country].some((part) => part !== undefined) || isLocated(path, filters);
}

/**
 * Returns the search with the values of `change`, from its first page unless `change` has a page. A `centre` in `change`, even
 * undefined, removes the area; an area removes the centre. Drops filters, order and `isOpenNow` that the path does not support.
 */
export function changed(search: Search, change: Partial<Search>): Search {
  const { area: _, ...withoutArea } = search;
  const kept = "centre" in change ? withoutArea : search;
  const { sort, isOpenNow, ...next } = { ...kept, page: 0, ...change, ...(change.area ? { centre: undefined } : {}) };
  return {
    ...next,
    filters: keptFilters(next.path, next.filters),
    ...(sort && isSort(next.path, sort) ? { sort } : {}),
    ...(isOpenNow && mayHaveHours(next.path) ? { isOpenNow } : {}),
  };
}

/**
 * Returns the orders that the results of a path support besides the default one: by name and by confidence. A collection with its
 * own schema also has those by its sortable columns, up and down, once the dataset is open.
 */
export function sortsOf(path: Path): readonly Sort[] {
  const filters = filtersOf(path);
  return [
    ...(filters.includes("name") ? (["name"] as const) : []),
    ...(filters.includes("min_confidence") ? (["confidence"] as const) : []),
    ...columnsOf(path)
      .filter(({ type, role }) => type !== "json" && type !== "list" && type !== "boolean" && role !== "name")
      .flatMap(({ name }) => [name, `-${name}`]),
  ];
}

/**
 * Returns whether results have the order that is default without a location: places and divisions that most people mean come
 * first.
 */
export function isByRelevance({ path, centre, area, sort }: Search): boolean {
  return sort === undefined && !centre && !area && (path === "places" || path === "divisions");
}

/** Returns the column and the direction of an order; undefined for orders by name and by confidence, and for unknown columns. */
export function columnOfSort(
  path: Path,
  sort: Sort,
): { readonly column: string; readonly isDescending: boolean } | undefined {
  if (FIXED_SORTS.has(sort) && filtersOf(path).includes(sort === "name" ? "name" : "min_confidence")) return undefined;
  const columns = columnsOf(path);
  const found = columns.find(({ name }) => name === sort) ?? columns.find(({ name }) => `-${name}` === sort);
  return found && { column: found.name, isDescending: found.name !== sort };
}

const FIXED_SORTS: ReadonlySet<Sort> = new Set(["name", "confidence"]);

/**
 * Whether the path supports the order. Before the dataset is read, any text may be a column of a collection with its own schema.
 */
function isSort(path: Path, sort: Sort): boolean {
  return sortsOf(path).includes(sort) || (isOwnName(path) && !ownFiltersOf(path));
}

/** Whether records of the path have opening hours, or may have because the dataset is not read yet. */
function mayHaveHours(path: Path): boolean {
  return hasHours(path) || (isOwnName(path) && !ownFiltersOf(path));
}

/** Returns whether records of the path have opening hours; false until the dataset is read. */
export function hasHours(path: Path): boolean {
  return columnsOf(path).some(({ role }) => role === "hours");
}

/** Returns the search for the last page if `search` is for a later page than there is; undefined otherwise. */
export function lastPageInstead(found: { readonly search: Search; readonly total: number }): Search | undefined {
  const { search, total } = found;
  const last = Math.max(0, Math.ceil(total / search.limit) - 1);
  return search.page > last ? { ...search, page: last } : undefined;
}

/**
 * Parses the state of the page from the hash of its URL. Invalid parts are left out and listed in `refused`, as `name=value` and
 * what is allowed.
 */
export function parsePageState(hash: string): PageState & { readonly refused: readonly string[] } {
  const [, name = "", query = ""] = /^#?\/?([^?]*)\??(.*)$/.exec(hash) ?? [];
  const values = new URLSearchParams(query);
  const refused: string[] = [];
  /** Returns the parsed parameter; undefined if `parse` refuses it, which is recorded with what is allowed. */
  const take = <T>(key: string, parse: (text: string) => T | undefined, allowed?: string): T | undefined => {
    const text = values.get(key);
    values.delete(key);
    if (text === null) return undefined;
    const value = parse(text);
    if (value === undefined) refused.push(allowed ? `${key}=${text} (${allowed})` : `${key}=${text}`);
    return value;
  };

  const alone = parseRecordAddress(hash);
  if (alone) {
    const at = take("at", parseLatLon);
    const address = at ? { ...alone, at } : alone;
    return { search: undefined, record: alone.id, alone: address, view: take("view", parseView), refused };
  }
  if (name === PACKS)
    return { search: undefined, record: undefined, isAtPacks: true, view: take("view", parseView), refused };
  const path = isPath(name) ? name : undefined;
  if (!path && name !== "") refused.push(name);
  const lat = take("lat", (text) => numberBetween(text, -90, 90), "-90–90");
  const lon = take("lng", (text) => numberBetween(text, -180, 180), "-180–180");
  if (lat === undefined && lon !== undefined) refused.push(`lng=${lon}`);
  if (lon === undefined && lat !== undefined) refused.push(`lat=${lat}`);
  const radiusMeters = take(
    "radius",
    (text) => numberBetween(text, MIN_RADIUS_METERS, MAX_RADIUS_METERS),
    `${MIN_RADIUS_METERS}–${MAX_RADIUS_METERS}`,
  );
  const area = take("area", parseDrawnArea);
  const country = take("country", (text) => (/^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : undefined), "AA–ZZ");
  const page = take("page", (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined), "0–999999999");
  const sort = take("sort", (text) => (path && isSort(path, text) ? text : undefined));
  const isOpenNow = take("open_now", (text) => (text === "1" && path && mayHaveHours(path) ? true : undefined), "1");
  const limit = take("limit", (text) => PAGE_SIZES.find((size) => String(size) === text), PAGE_SIZES.join("/"));
  const record = take("record", (text) => text || undefined);
  const view = take("view", parseView);
  const around = take("around", (text) => text.trim().slice(0, MOST_NAME_CHARS) || undefined);
  const colourBy = take("colour_by", (text) => text.trim().slice(0, MOST_NAME_CHARS) || undefined);
  const filters: Record<string, string> = {};
  for (const key of new Set(values.keys())) {
    const value = take(key, (text) => path && parseFilter(path, key, text), path && allowedValue(path, key));
    if (value !== undefined) filters[key] = value;
  }

  const search: Search = {
    path: path ?? EMPTY_SEARCH.path,
    ...(area ? { area } : {}),
    centre: area || lat === undefined || lon === undefined ? undefined : { lon, lat },
    radiusMeters: radiusMeters ?? EMPTY_SEARCH.radiusMeters,
    country,
    filters,
    ...(sort ? { sort } : {}),
    ...(isOpenNow ? { isOpenNow } : {}),
    page: page ?? 0,
    limit: limit ?? EMPTY_SEARCH.limit,
  };
  const isAsked = path !== undefined && isComplete(search);
  return {
    search: isAsked ? search : undefined,
    record: isAsked ? record : undefined,
    view,
    ...(isAsked && search.centre && around !== undefined ? { around } : {}),
    ...(isAsked && colourBy !== undefined ? { colourBy } : {}),
    refused,
  };
}

/** Returns the hash of the URL from which `parsePageState` reads the state. Most default values are left out. */
export function formatPageState(state: Partial<PageState>): string {
  const { search, record, alone, isAtPacks, view, around, colourBy } = state;
  const extra = [
    ...(search?.sort ? [`sort=${escaped(search.sort)}`] : []),
    ...(search?.isOpenNow ? ["open_now=1"] : []),
    ...(search?.area ? [`area=${formatDrawnArea(search.area)}`] : []),
    ...(search?.centre && around !== undefined ? [`around=${encodeText(around)}`] : []),
    ...(search && colourBy !== undefined ? [`colour_by=${encodeText(colourBy)}`] : []),
    ...(record === undefined || alone ? [] : [`record=${encodeURIComponent(record)}`]),
    ...(view ? [`view=${formatView(view)}`] : []),
  ];
  if (!search) {
    const path = alone ? formatRecordAddress(alone) : `#/${isAtPacks ? PACKS : ""}`;
    return extra.length > 0 ? `${path}${path.includes("?") ? "&" : "?"}${extra.join("&")}` : path;
  }
  return `#/${[restAddress(search), ...extra].join("&")}`;
}

/**
 * Returns the URL of the search in the REST interface, relative to the folder of the page, without a drawn area, the order and
 * `isOpenNow`, which a URL there cannot contain.
 */
export function restAddress(search: Search): string {
  const parts = Object.entries(parametersOf(search)).map(([name, value]) => `${name}=${escaped(value)}`);
  return `${search.path}?${parts.join("&")}`;
}

/** Returns the search as the worker takes it, without order and `isOpenNow`, which `orderedArgument` adds. */
export function searchArgument(search: Search): SearchArgument {
  const { path, area } = search;
  return { path: `/${path}`, parameters: parametersOf(search), ...(area ? { area: areaOf(area) } : {}) };
}

/**
 * Returns, as the worker takes it, the search for the one record nearest to the centre at any distance. `search` must have a
 * centre.
 */
export function nearestArgument(search: Search): SearchArgument {
  const { radius: _, page: __, ...parameters } = parametersOf(search);
  return { path: `/${search.path}`, parameters: { ...parameters, limit: "1", nearest: "1" } };
}

function parametersOf(search: Search): Readonly<Record<string, string>> {
  const { path, centre, radiusMeters, country, filters, page, limit } = search;
  return {
    ...(centre ? { lat: coordinate(centre.lat), lng: coordinate(centre.lon), radius: String(radiusMeters) } : {}),
    ...(country === undefined ? {} : { country }),
    ...keptFilters(path, filters),
    limit: String(limit),
    ...(page > 0 ? { page: String(page) } : {}),
  };
}

/** Encodes text for a URL. Commas between items stay readable. */
function escaped(value: string): string {
  return encodeText(value).replaceAll("%2C", ",");
}

/** Returns text encoded for a URL. Half of a surrogate pair, which URLs cannot contain, becomes U+FFFD. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
}

/** Returns whether the map is turned or tilted. Buildings are then drawn as solids. */
export function isTurned({ bearing = 0, pitch = 0 }: View): boolean {
  return bearing !== 0 || pitch !== 0;
}

/** Returns the view in the form of MapLibre: `zoom/lat/lng`, then bearing and pitch in degrees if the map is turned or tilted. */
function formatView({ zoom, lat, lon, bearing = 0, pitch = 0 }: View): string {
  const [turn, tilt] = [Math.round(bearing), Math.round(pitch)];
  const looks = tilt !== 0 ? [turn, tilt] : turn !== 0 ? [turn] : [];
  return [zoom.toFixed(2), coordinate(lat), coordinate(lon), ...looks].join("/");
}

function parseView(text: string): View | undefined {
  const [zoomText = "", latText = "", lonText = "", bearingText = "0", pitchText = "0", ...others] = text.split("/");
  const zoom = numberBetween(zoomText, 0, 24);
  const lat = numberBetween(latText, -90, 90);
  const lon = numberBetween(lonText, -180, 180);
  const bearing = numberBetween(bearingText, -180, 180);
  const pitch = numberBetween(pitchText, 0, MAX_PITCH);
  if (zoom === undefined || lat === undefined || lon === undefined || others.length > 0) return undefined;
  if (bearing === undefined || pitch === undefined) return undefined;
  return { zoom, lat, lon, ...(bearing === 0 ? {} : { bearing }), ...(pitch === 0 ? {} : { pitch }) };
}
