/**
 * A search as the page knows it, and its two addresses: the page's own (after `#`) and the REST one.
 * @module
 */
import { type Area, formatArea, parseArea } from "../../hosts/browser/area/area.ts";

/** The search paths that have a chip, in the order of the chips. */
export const PATHS = ["places", "buildings", "addresses", "base", "transportation", "divisions"] as const;
export type Path = (typeof PATHS)[number];

export const PAGE_SIZES = [25, 100, 1000, 25_000] as const;
export type PageSize = (typeof PAGE_SIZES)[number];

export const MIN_RADIUS_METERS = 1;
export const DEFAULT_RADIUS_METERS = 1000;

export interface Centre {
  readonly lon: number;
  readonly lat: number;
}

/** At least one of `centre`, `area` and `country` is there; `area` takes the place of `centre`. */
export interface Search {
  readonly path: Path;
  readonly centre: Centre | undefined;
  readonly radiusMeters: number;
  /** Drawn on the map; left out when none is. */
  readonly area?: Area;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | undefined;
  /** 0-based. */
  readonly page: number;
  readonly limit: PageSize;
}

/** What the map shows, when the reader has moved it. */
export interface View extends Centre {
  readonly zoom: number;
}

/** The whole state that an address holds. */
export interface PageState {
  readonly search: Search | undefined;
  /** Id of the record whose detail is open. */
  readonly record: string | undefined;
  readonly view: View | undefined;
}

const COORDINATE_DECIMALS = 6;

/** The state in a location's hash; what makes no sense is left out. */
export function parsePageState(hash: string): PageState {
  const [, name = "", query = ""] = /^#\/([a-z]*)\??(.*)$/.exec(hash) ?? [];
  const values = new URLSearchParams(query);
  const path = PATHS.find((known) => known === name);
  const lat = numberBetween(values.get("lat"), -90, 90);
  const lon = numberBetween(values.get("lng"), -180, 180);
  const centre = lat === undefined || lon === undefined ? undefined : { lon, lat };
  const country = /^[A-Za-z]{2}$/.test(values.get("country") ?? "") ? values.get("country")?.toUpperCase() : undefined;
  const area = parseArea(values.get("area") ?? "");
  const search: Search | undefined =
    path && (centre || area || country)
      ? {
          path,
          ...(area ? { area } : {}),
          centre: area ? undefined : centre,
          radiusMeters: numberBetween(values.get("radius"), MIN_RADIUS_METERS, Infinity) ?? DEFAULT_RADIUS_METERS,
          country,
          page: Math.floor(numberBetween(values.get("page"), 0, 1e9) ?? 0),
          limit: PAGE_SIZES.find((size) => String(size) === values.get("limit")) ?? PAGE_SIZES[0],
        }
      : undefined;
  return { search, record: search && (values.get("record") ?? undefined), view: parseView(values.get("view")) };
}

/** The hash that `parsePageState` reads. */
export function formatPageState({ search, record, view }: PageState): string {
  const extra = [
    ...(search?.area ? [`area=${formatArea(search.area)}`] : []),
    ...(record === undefined ? [] : [`record=${encodeURIComponent(record)}`]),
    ...(view ? [`view=${[view.zoom.toFixed(2), ...[view.lat, view.lon].map(coordinate)].join("/")}`] : []),
  ];
  if (!search) return extra.length > 0 ? `#/?${extra.join("&")}` : "#/";
  return `#/${[restAddress(search), ...extra].join("&")}`;
}

/** The REST address of the search, relative to the page's folder; without its area, which the interface does not know. */
export function restAddress({ path, centre, radiusMeters, country, page, limit }: Search): string {
  const parts = [
    ...(centre ? [`lat=${coordinate(centre.lat)}`, `lng=${coordinate(centre.lon)}`, `radius=${radiusMeters}`] : []),
    ...(country === undefined ? [] : [`country=${country}`]),
    `limit=${limit}`,
    ...(page > 0 ? [`page=${page}`] : []),
  ];
  return `${path}?${parts.join("&")}`;
}

/** Degrees as text, to about 0.1 m. */
export function coordinate(degrees: number): string {
  return String(Number(degrees.toFixed(COORDINATE_DECIMALS)));
}

function parseView(text: string | null): View | undefined {
  const [zoomText = null, latText = null, lonText = null] = text?.split("/") ?? [];
  const zoom = numberBetween(zoomText, 0, 24);
  const lat = numberBetween(latText, -90, 90);
  const lon = numberBetween(lonText, -180, 180);
  return zoom === undefined || lat === undefined || lon === undefined ? undefined : { zoom, lat, lon };
}

function numberBetween(text: string | null, min: number, max: number): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}
