/**
 * Converts the attributes of the element to a search.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { DEFAULT_RADIUS_METERS } from "../../../data/format/limits.ts";
import type { SearchArgument } from "../../hosts/browser/protocol/index.ts";
import { PATHS } from "../types.ts";
import type { Circle } from "./draw.ts";

export const ATTRIBUTES = [
  ...(["src", "lat", "lng", "radius", "path", "country", "name", "limit", "zoom", "tiles"] as const),
  ...(["filter", "load"] as const),
] as const;

/** More would cover the map. */
const DEFAULT_LIMIT = 200;

export interface ElementSearch extends SearchArgument {
  readonly dataset: string;
  readonly circle: Circle | undefined;
  readonly zoom: number | undefined;
  /** Collections whose vector tiles are drawn below the results. */
  readonly tiles: readonly CollectionName[];
}

/**
 * Returns the search for the attributes; undefined while `src` or a location is missing. Throws when one is invalid.
 */
export function searchOf(
  read: (name: (typeof ATTRIBUTES)[number]) => string | null,
  base: string,
): ElementSearch | undefined {
  const src = read("src");
  const path = pathOf(read("path") ?? "places");
  const country = read("country");
  const [lat, lng] = [read("lat"), read("lng")];
  if (!src || (needsLocation(path) && country === null && (lat === null || lng === null))) return undefined;
  const conditions = new URLSearchParams(read("filter")?.replace(/^[?&]/, "") ?? "");
  const parameters: Record<string, string> = {
    ...Object.fromEntries(conditions),
    limit: read("limit") ?? conditions.get("limit") ?? String(DEFAULT_LIMIT),
  };
  for (const name of ["lat", "lng", "radius", "country", "name"] as const) {
    const value = read(name);
    if (value !== null) parameters[name] = value;
  }
  const zoom = read("zoom");
  return {
    dataset: new URL(src.endsWith("/") ? src : `${src}/`, base).href,
    path,
    parameters,
    circle:
      lat === null || lng === null
        ? undefined
        : { lat: Number(lat), lon: Number(lng), radiusMeters: Number(read("radius") ?? DEFAULT_RADIUS_METERS) },
    zoom: zoom === null ? undefined : Number(zoom),
    tiles: (read("tiles") ?? "").split(/[\s,]+/).filter(Boolean),
  };
}

/**
 * Both spellings: `placeBuildings`, and `places/buildings` as in a URL. Any other is a collection of one's own: the dataset decides
 * whether it has one.
 */
function pathOf(text: string): string {
  const path = `/${text.replace(/^\//, "")}`;
  return Object.entries(PATHS).find(([name]) => name === text)?.[1] ?? path;
}

/** Whether a search on the path needs a location or a country. */
function needsLocation(path: string): boolean {
  return Object.values(PATHS).some((known) => known === path);
}
