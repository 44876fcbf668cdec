/**
 * Converts the attributes of the element to a search.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { DEFAULT_RADIUS_METERS, MAX_RADIUS_METERS } from "../../../data/format/limits.ts";
import type { Meant, SearchArgument } from "../../hosts/browser/protocol/index.ts";
import { PATHS } from "../types.ts";
import type { Circle } from "./draw.ts";

export const ATTRIBUTES = [
  ...(["src", "lat", "lng", "radius", "path", "country", "name", "limit", "zoom", "tiles"] as const),
  ...(["filter", "text", "load", "list", "filters", "counts", "pinned-key"] as const),
] as const;

/** Number of records by default: more would cover the map. */
const DEFAULT_LIMIT = 200;
/** Number of records by default with a list: all shops of most chains. */
const LIST_LIMIT = 1000;

export interface ElementSearch extends SearchArgument {
  readonly dataset: string;
  /** Public keys. One of them must have signed the dataset. */
  readonly key: string | undefined;
  readonly circle: Circle | undefined;
  readonly zoom: number | undefined;
  /** What is searched for, in words: a category, what people want to do, or a location. */
  readonly text: string | undefined;
  /** What to count instead of drawing records: a subtype of divisions, or the number of characters of geohash cells. */
  readonly counts: string | undefined;
  /** Collections whose vector tiles are drawn below the results. */
  readonly tiles: readonly CollectionName[];
  /** Whether the element has a list, and the columns that the page's owner offers as filters. */
  readonly list: { readonly filters: readonly string[] | undefined } | undefined;
}

/** What the visitor has chosen: values of filters, and a position to order the list by. */
export interface Chosen {
  /** Values of filters, by parameter name. */
  readonly filters: ReadonlyMap<string, string>;
  readonly position: { readonly lat: number; readonly lon: number } | undefined;
}

/**
 * Returns the search for the attributes, read by `read`. Undefined without `src`, and for Overture's paths also without country,
 * position and text. Throws if both `list` and `counts` are set, or if `src` is no URL. Numbers are not checked.
 */
export function searchOf(
  read: (name: (typeof ATTRIBUTES)[number]) => string | null,
  base: string,
  chosen: Chosen,
): ElementSearch | undefined {
  const src = read("src");
  const path = pathOf(read("path") ?? "places");
  const country = read("country");
  const { position } = chosen;
  const [lat, lng] = position ? [String(position.lat), String(position.lon)] : [read("lat"), read("lng")];
  const text = read("text")?.trim() || undefined;
  const hasLocation = country !== null || (lat !== null && lng !== null);
  const hasList = read("list") !== null;
  const counts = read("counts")?.trim() || undefined;
  if (hasList && counts !== undefined) throw new Error("list and counts exclude each other: areas have no list");
  // a list has the nearest first, however far away
  const radius = read("radius") ?? String(hasList ? MAX_RADIUS_METERS : DEFAULT_RADIUS_METERS);
  if (!src || (needsLocation(path) && !hasLocation && text === undefined)) return undefined;
  const conditions = new URLSearchParams(read("filter")?.replace(/^[?&]/, "") ?? "");
  const parameters: Record<string, string> = {
    ...Object.fromEntries(conditions),
    limit: read("limit") ?? conditions.get("limit") ?? String(hasList ? LIST_LIMIT : DEFAULT_LIMIT),
    ...Object.fromEntries(chosen.filters),
  };
  for (const name of ["country", "name"] as const) {
    const value = read(name);
    if (value !== null) parameters[name] = value;
  }
  if (lat !== null) parameters.lat = lat;
  if (lng !== null) parameters.lng = lng;
  if (read("radius") !== null || (hasList && lat !== null)) parameters.radius = radius;
  const zoom = read("zoom");
  return {
    dataset: new URL(src.endsWith("/") ? src : `${src}/`, base).href,
    key: read("pinned-key") ?? undefined,
    path,
    parameters,
    circle:
      lat === null || lng === null ? undefined : { lat: Number(lat), lon: Number(lng), radiusMeters: Number(radius) },
    zoom: zoom === null ? undefined : Number(zoom),
    list: hasList ? { filters: namesOf(read("filters")) } : undefined,
    text,
    counts,
    tiles: (read("tiles") ?? "").split(/[\s,]+/).filter(Boolean),
  };
}

/** Splits a list of names at commas; undefined without a text. */
function namesOf(text: string | null): readonly string[] | undefined {
  return text
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/**
 * Returns the search for what its text means. For a category it finds places of the category; otherwise records of the path
 * around a location or in a country.
 */
export function searchMeant(search: ElementSearch, meant: Meant): ElementSearch {
  const { lat, lng, radius, country: _, ...conditions } = search.parameters;
  if (meant.kind === "position") {
    const circle = { lat: meant.lat, lon: meant.lon, radiusMeters: Number(radius ?? DEFAULT_RADIUS_METERS) };
    const at = { lat: String(circle.lat), lng: String(circle.lon), radius: String(circle.radiusMeters) };
    return { ...search, circle, parameters: { ...conditions, ...at } };
  }
  const { kind, id, within, isCountryWide, country, lon } = meant;
  const isCategory = kind === "category";
  const asked = { ...conditions, ...(isCategory ? { categories: id } : {}) };
  const path = isCategory ? "/places" : search.path;
  if (isCountryWide || kind === "country")
    return { ...search, path, circle: undefined, parameters: { ...asked, country } };
  if (isCategory && within === undefined && (search.circle || search.parameters.country))
    return { ...search, path, parameters: { ...search.parameters, categories: id } };
  const hasExtent = isCategory ? within !== undefined : kind === "division";
  const radiusMeters = hasExtent ? meant.radiusMeters : Number(radius ?? DEFAULT_RADIUS_METERS);
  const circle = { lat: meant.lat, lon, radiusMeters };
  const at = { lat: String(meant.lat), lng: String(lon), radius: String(radiusMeters) };
  return { ...search, path, circle, parameters: { ...asked, ...at } };
}

/**
 * Returns the path of a name: `placeBuildings` and `places/buildings` are the same. Any other name is a collection of the
 * dataset, which is not checked here.
 */
function pathOf(text: string): string {
  const path = `/${text.replace(/^\//, "")}`;
  return Object.entries(PATHS).find(([name]) => name === text)?.[1] ?? path;
}

/** Whether a search on the path must have a location or a country: one of Overture's paths. */
function needsLocation(path: string): boolean {
  return Object.values(PATHS).some((known) => known === path);
}
