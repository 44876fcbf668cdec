/**
 * The tables of the two documents: paths, their types, and their parameters.
 * @module
 */
import type { OvertureType } from "./types.ts";

export interface SearchPath {
  readonly path: string;
  /** Types searched without `types`. */
  readonly types: readonly OvertureType[];
  /** Types that `types` may list. Absent if the path has no such parameter. */
  readonly choices?: readonly OvertureType[];
  /** Parameters besides the common ones. */
  readonly own: readonly string[];
  /** True if records are places joined with buildings. */
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
  "release",
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

export const SEARCH_PATHS: readonly SearchPath[] = [
  { path: "/places", types: ["place"], own: ["name", ...PLACE_FILTERS, "include_unknown", "enrichment_fields"] },
  {
    path: "/places/buildings",
    types: ["place"],
    own: ["name", ...PLACE_FILTERS, "include_unknown", "enrichment_fields"],
    isJoined: true,
  },
  {
    path: "/buildings",
    types: ["building"],
    choices: ["building", "building_part"],
    own: [
      "types",
      "name",
      "subtype",
      "class",
      "min_height",
      "max_height",
      "min_floors",
      "max_floors",
      "include_unknown",
    ],
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

/** Paths that count records instead of listing them. A location is optional. */
export const COUNT_PATHS = ["/places/brands", "/places/categories", "/places/countries"] as const;

export const PAGING_HEADERS = ["Pagination-Count", "Pagination-Page", "Pagination-Limit", "X-Total-Count"] as const;

export const DEFAULT_LIMIT = 1000;
export const DEFAULT_RADIUS_METERS = 1000;

/** Name of a path in the title of a check. */
export const titleOf = (path: string): string => path.slice(1) || "root";
