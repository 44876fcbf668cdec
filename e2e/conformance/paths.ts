/**
 * The tables of the two documents: paths, what they serve, and the parameters they take.
 * @module
 */
import type { OvertureType } from "./types.ts";

export interface SearchPath {
  readonly path: string;
  /** Types searched when `types` does not choose. */
  readonly types: readonly OvertureType[];
  /** Types that `types` may name; the path has no such parameter when left out. */
  readonly choices?: readonly OvertureType[];
  /** Parameters beside those that all paths take. */
  readonly own: readonly string[];
  /** Whether records are places with the building that holds them. */
  readonly isJoined?: boolean;
}

export const COMMON_PARAMETERS = [
  "lat",
  "lng",
  "radius",
  "nearest",
  "within",
  "country",
  "limit",
  "page",
  "format",
  "includes",
] as const;

export const PLACE_FILTERS = [
  "categories",
  "taxonomy",
  "brand_name",
  "brand_wikidata",
  "min_confidence",
  "operating_status",
  "source",
  "has_contact",
] as const;

const BASE = ["infrastructure", "land", "land_cover", "land_use", "water", "bathymetry"] as const;

/** The seven search paths. */
export const SEARCH_PATHS: readonly SearchPath[] = [
  { path: "/places", types: ["place"], own: ["name", ...PLACE_FILTERS, "enrichment_fields"] },
  { path: "/places/buildings", types: ["place"], own: ["name", ...PLACE_FILTERS, "enrichment_fields"], isJoined: true },
  {
    path: "/buildings",
    types: ["building"],
    choices: ["building", "building_part"],
    own: ["types", "name", "subtype", "class", "min_height", "min_floors"],
  },
  { path: "/addresses", types: ["address"], own: ["name"] },
  { path: "/base", types: BASE, choices: BASE, own: ["types", "name", "subtype", "class"] },
  {
    path: "/transportation",
    types: ["segment"],
    choices: ["segment", "connector"],
    own: ["types", "name", "subtype", "class", "surface", "speed_limit"],
  },
  {
    path: "/divisions",
    types: ["division_area"],
    choices: ["division", "division_area", "division_boundary"],
    own: ["types", "name", "subtype", "admin_level", "bbox", "include_geometry"],
  },
];

/** Paths that count instead of listing records. A location is not required. */
export const COUNT_PATHS = ["/places/brands", "/places/categories", "/places/countries"] as const;

export const PAGING_HEADERS = ["Pagination-Count", "Pagination-Page", "Pagination-Limit", "X-Total-Count"] as const;

export const DEFAULT_LIMIT = 1000;
export const DEFAULT_RADIUS_METERS = 1000;

/** How a path is called in the name of a check. */
export const titleOf = (path: string): string => path.slice(1) || "root";
