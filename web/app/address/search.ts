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

/** `name`, `confidence`, or a column of a table: `Price`, or `-Price` from the highest on. */
export type Sort = string;

export const MIN_RADIUS_METERS = 1;
export { MAX_RADIUS_METERS };

/** Complete with a centre, an area, a country, or filters that replace them; never both centre and area. */
export interface Search {
  readonly path: Path;
  readonly centre: Centre | undefined;
  readonly radiusMeters: number;
  readonly area?: DrawnArea;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | undefined;
  /** Only filters that the path accepts. */
  readonly filters: Filters;
  /** Replaces the default order; only orders that the path supports. */
  readonly sort?: Sort | undefined;
  /** Whether only places that are open now are listed; only for tables with opening hours. */
  readonly isOpenNow?: boolean | undefined;
  /** 0-based. */
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

/** Closer to the horizon a map has too many tiles. */
export const MAX_PITCH = 60;

export interface PageState {
  readonly search: Search | undefined;
  /** Id of the record whose detail is open. */
  readonly record: string | undefined;
  /** The record that was opened by its own URL, without a search. */
  readonly alone?: RecordAddress | undefined;
  /** Whether the list of offered areas is open. */
  readonly isAtPacks?: boolean;
  readonly view: View | undefined;
  /** Name of the location around the centre. */
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
/** Limit on the length of a name; a longer text is invalid. */
const MOST_NAME_CHARS = 100;

/** Returns whether the search can be run. */
export function isComplete({ centre, area, country, path, filters }: Search): boolean {
  return [centre, area, country].some((part) => part !== undefined) || isLocated(path, filters);
}

/**
 * Returns the search with other values, from its first page unless `change` has a page. A `centre` in `change` removes
 * the area, and an area removes the centre. Drops filters, order and `isOpenNow` that the path does not support.
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

/** Returns the orders that a path's results support: by name, by confidence, and by columns of a table. */
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
 * Returns whether results are ordered by what most people mean: places or divisions, without distances and without a chosen
 * order.
 */
export function isByRelevance({ path, centre, area, sort }: Search): boolean {
  return sort === undefined && !centre && !area && (path === "places" || path === "divisions");
}

/** Returns the column and the direction of an order; undefined for the other orders. */
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

/** Before the dataset is read, any text can be a column of an own collection. */
function isSort(path: Path, sort: Sort): boolean {
  return sortsOf(path).includes(sort) || (isOwnName(path) && !ownFiltersOf(path));
}

/** Whether the path's records have opening hours, as far as it is known. */
function mayHaveHours(path: Path): boolean {
  return hasHours(path) || (isOwnName(path) && !ownFiltersOf(path));
}

/** Returns whether the records of the path have a column with opening hours. */
export function hasHours(path: Path): boolean {
  return columnsOf(path).some(({ role }) => role === "hours");
}

/** Returns the search for its last page if it asks for a later one; undefined otherwise. */
export function lastPageInstead(found: { readonly search: Search; readonly total: number }): Search | undefined {
  const { search, total } = found;
  const last = Math.max(0, Math.ceil(total / search.limit) - 1);
  return search.page > last ? { ...search, page: last } : undefined;
}

/** Parses the state in a location hash. `refused` are its invalid parts, which are left out. */
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

/** Returns the hash that `parsePageState` reads, without default values. */
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
 * Returns the REST URL of the search, relative to the folder of the page, without its area, which a URL cannot
 * contain.
 */
export function restAddress(search: Search): string {
  const parts = Object.entries(parametersOf(search)).map(([name, value]) => `${name}=${escaped(value)}`);
  return `${search.path}?${parts.join("&")}`;
}

/** Returns the search in the form of the engine, without its order and without `isOpenNow`: see `orderedArgument`. */
export function searchArgument(search: Search): SearchArgument {
  const { path, area } = search;
  return { path: `/${path}`, parameters: parametersOf(search), ...(area ? { area: areaOf(area) } : {}) };
}

/** Returns the search for the one record nearest to the centre, at any distance. The search must have no area. */
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

/** Commas between items stay unencoded, to be readable. */
function escaped(value: string): string {
  return encodeText(value).replaceAll("%2C", ",");
}

/** Returns text encoded for a URL; half a surrogate pair becomes a replacement character. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
}

/** Returns whether a view is not straight from above with north up: then buildings are solids. */
export function isTurned({ bearing = 0, pitch = 0 }: View): boolean {
  return bearing !== 0 || pitch !== 0;
}

/** The form of MapLibre: `zoom/lat/lng`, then bearing and pitch if the map is turned or tilted. */
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
