/**
 * The search paths and what each serves.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";

export interface SearchPath {
  /** Below the base URL. */
  readonly path: string;
  readonly summary: string;
  /** Collections searched when `types` does not choose. */
  readonly collections: readonly CollectionName[];
  /** Values that `types` may take; the path has no such parameter when left out. */
  readonly types?: readonly [CollectionName, ...CollectionName[]];
}

const BASE_TYPES = ["infrastructure", "land", "land_cover", "land_use", "water", "bathymetry"] as const;

export const SEARCH_PATHS: readonly SearchPath[] = [
  { path: "/places", summary: "Places: shops, sights, services.", collections: ["place"] },
  {
    path: "/places/buildings",
    summary: "Places with the building that holds them, else the nearest within 25 m.",
    collections: ["place_building"],
  },
  {
    path: "/buildings",
    summary: "Buildings and their parts.",
    collections: ["building"],
    types: ["building", "building_part"],
  },
  { path: "/addresses", summary: "Addresses.", collections: ["address"] },
  {
    path: "/base",
    summary: "Land, water, land use and infrastructure.",
    collections: BASE_TYPES,
    types: [...BASE_TYPES],
  },
  {
    path: "/transportation",
    summary: "Roads, railways, ferries and the connectors between them.",
    collections: ["segment"],
    types: ["segment", "connector"],
  },
  {
    path: "/divisions",
    summary: "Countries, regions, towns and their boundaries.",
    collections: ["division_area"],
    types: ["division", "division_area", "division_boundary"],
  },
];
