/**
 * The search paths: their collections and parameters.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import { filtersOf } from "../../data/format/filters.ts";
import type { HasCollections } from "../../data/format/own-collections.ts";
import { hasUnknownValues } from "../../data/format/own-filters.ts";
import type { OwnSchema } from "../../data/format/own-schema.ts";
import type { Grouping } from "../engine/index.ts";
import { computes } from "./own-path.ts";
import type { ParameterName } from "./parameters.ts";

type SearchPathName =
  | "/places"
  | "/places/buildings"
  | "/buildings"
  | "/addresses"
  | "/base"
  | "/transportation"
  | "/divisions";

interface Path {
  /** Path below the base URL, such as `/places`. */
  readonly path: string;
  readonly parameters: readonly ParameterName[];
  /** Parameters that every request must have. */
  readonly required?: readonly ParameterName[];
}

export interface SearchPath extends Path {
  /** Collections searched without `types`. */
  readonly collections: readonly CollectionName[];
  /** Allowed values of the parameter `types`. Undefined if the path has no such parameter. */
  readonly types?: readonly [CollectionName, ...CollectionName[]];
  /** Parameters of which any one makes a location or a country unnecessary. */
  readonly locationOr?: readonly ParameterName[];
  /** Whether neither a location nor a country is needed. */
  readonly isLocationOptional?: boolean;
  /** Schema of a collection of one's own. */
  readonly own?: OwnSchema;
}

/** A path that counts matching places instead of listing them. */
export interface CountPath extends Path {
  readonly by: Grouping;
}

const SHOWN = ["within", "country", "limit", "page", "release", "format", "includes", "api_key"] as const;
const COMMON = ["lat", "lng", "radius", "nearest", ...SHOWN] as const;
const PLACE = filtersOf("place");
const CLASSIFIED = filtersOf("classified");
const BASE_TYPES = ["infrastructure", "land", "land_cover", "land_use", "water", "bathymetry"] as const;

export const SEARCH_PATHS: readonly (SearchPath & { readonly path: SearchPathName })[] = [
  {
    path: "/places",
    collections: ["place"],
    parameters: [...COMMON, ...PLACE, "include_unknown", "enrichment_fields"],
  },
  {
    path: "/places/buildings",
    collections: ["place_building"],
    parameters: [...COMMON, ...PLACE, "include_unknown", "enrichment_fields"],
  },
  {
    path: "/buildings",
    collections: ["building"],
    types: ["building", "building_part"],
    parameters: [...COMMON, ...CLASSIFIED, ...filtersOf("building"), "include_unknown"],
  },
  {
    path: "/addresses",
    collections: ["address"],
    parameters: [...COMMON, ...filtersOf("address")],
  },
  {
    path: "/base",
    collections: BASE_TYPES,
    types: [...BASE_TYPES],
    parameters: [...COMMON, ...CLASSIFIED],
  },
  {
    path: "/transportation",
    collections: ["segment"],
    types: ["segment", "connector"],
    parameters: [...COMMON, ...CLASSIFIED, ...filtersOf("road")],
  },
  {
    path: "/divisions",
    collections: ["division_area"],
    types: ["division", "division_area", "division_boundary"],
    parameters: [...COMMON, ...filtersOf("division"), "bbox", "include_geometry"],
    locationOr: ["name", "bbox"],
  },
];

const COUNTED: readonly ParameterName[] = ["lat", "lng", "radius", ...SHOWN, ...PLACE, "include_unknown"];

export const COUNT_PATHS: readonly CountPath[] = [
  { path: "/places/brands", by: "brand", parameters: COUNTED },
  {
    path: "/places/categories",
    by: "category",
    parameters: COUNTED,
  },
  {
    path: "/places/countries",
    by: "country",
    parameters: COUNTED.filter((name) => name !== "includes"),
  },
];

/** Parameters of collections with their own schema. Names and categories need columns with these roles. */
export const TABLE_PARAMETERS: readonly ParameterName[] = [
  ...COMMON,
  ...(["name", "categories", "include_unknown", "bbox", "include_geometry"] as const),
];

const ownPaths = new WeakMap<OwnSchema, OwnPath>();

/** Returns the path of a collection with its own schema. A request without any condition lists all rows. */
function ownPath(name: CollectionName, schema: OwnSchema): OwnPath {
  const known = ownPaths.get(schema);
  if (known) return known;
  const isServed = (parameter: ParameterName) =>
    (parameter !== "name" || computes(name, schema, "names")) &&
    (parameter !== "categories" || computes(name, schema, "categories")) &&
    (parameter !== "include_unknown" || hasUnknownValues(schema));
  const path: OwnPath = {
    path: `/${name}`,
    collections: [name],
    parameters: TABLE_PARAMETERS.filter(isServed),
    own: schema,
  };
  ownPaths.set(schema, path);
  return path;
}

/** The path of a collection with its own schema. */
export type OwnPath = SearchPath & { readonly own: OwnSchema };

/** Returns the paths of the dataset's collections with a schema of their own. */
export function ownPathsOf({ collections }: HasCollections): readonly OwnPath[] {
  return Object.entries(collections).flatMap(([name, described]) =>
    described?.schema ? [ownPath(name, described.schema)] : [],
  );
}

/** Returns the search paths of a dataset: the fixed ones, then those of collections with a schema of their own. */
export function searchPathsOf(manifest: HasCollections): readonly SearchPath[] {
  return [...SEARCH_PATHS, ...ownPathsOf(manifest)];
}

/** Returns the path with this `path`, such as `/places`. Throws for an unknown one. */
export function pathNamed<P extends Path>(paths: readonly P[], name: string): P {
  const path = paths.find((known) => known.path === name);
  if (!path) throw new Error(`no path ${name}, expected one of ${paths.map((known) => known.path).join(", ")}`);
  return path;
}

/** Returns the operation id of a path for client generators: `searchPlacesBuildings` for `search` and `/places/buildings`. */
export function operationIdOf(verb: "search" | "searchIn" | "get" | "count" | "export", path: string): string {
  const words = path.slice(1).split("/");
  return verb + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** Returns the collections in which a path looks for an id: all that it can search. */
export function collectionsOf({ types, collections }: SearchPath): readonly CollectionName[] {
  return types ?? collections;
}

/** The parameters of a request for one record. */
export const RECORD_PATH: Pick<SearchPath, "parameters"> = { parameters: ["format", "includes", "api_key"] };
