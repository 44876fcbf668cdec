import { signal } from "@preact/signals";
import type { CollectionName } from "../../../data/format/collections.ts";
import { isOwnName } from "../../../data/format/own-collections.ts";
import type { OwnFilter } from "../../../data/format/own-filters.ts";
import type { OwnColumn } from "../../../data/format/own-schema.ts";
import type { DatasetSummary } from "../../hosts/browser/protocol/index.ts";
import { SEARCH_PATHS, type SearchPath, searchPathsOf, TABLE_PARAMETERS } from "../../search/index.ts";

/** The fixed search paths that have a chip, in order. */
export const PATHS = ["places", "buildings", "addresses", "base", "transportation", "divisions"] as const;

/** Name after the slash of a search in the REST interface: one of `PATHS`, or the name of a collection with its own schema. */
export type Path = string;

/**
 * Returns whether the name is one of `PATHS`, or can be the name of a collection with its own schema. Whether the dataset has
 * that collection is not checked.
 */
export function isPath(name: string): boolean {
  return PATHS.some((path) => path === name) || isOwnName(name);
}

interface OwnPath {
  readonly served: SearchPath;
  readonly filters: readonly OwnFilter[];
  readonly columns: readonly OwnColumn[];
}

const described = signal<ReadonlyMap<Path, OwnPath>>(new Map());

/** Stores the paths, filters and columns of the dataset's collections with their own schema, for the functions below. */
export function describeOwnPaths({ collections }: Pick<DatasetSummary, "collections">): void {
  const own = collections.filter(({ schema }) => schema);
  const paths = searchPathsOf({ collections: Object.fromEntries(own.map((each) => [each.name, each])) });
  const pathOf = ({ name, filters = [], schema }: (typeof own)[number]) => {
    const served = paths.find(({ path }) => path === `/${name}`);
    return served ? [[name, { served, filters, columns: schema?.columns ?? [] }] as const] : [];
  };
  described.value = new Map(own.flatMap(pathOf));
}

/**
 * Returns the filters of the columns of a collection with its own schema; undefined before the dataset is read, and for a fixed
 * path.
 */
export function ownFiltersOf(path: Path): readonly OwnFilter[] | undefined {
  return described.value.get(path)?.filters;
}

/** Returns the columns of a collection with its own schema, in order; empty before the dataset is read, and for a fixed path. */
export function columnsOf(path: Path): readonly OwnColumn[] {
  return described.value.get(path)?.columns ?? [];
}

/**
 * Returns the definition of the path in the REST interface. Before the dataset is read, a collection with its own schema has the
 * parameters that all such collections share.
 */
export function servedUnder(path: Path): SearchPath {
  const fixed = SEARCH_PATHS.find((known) => known.path === `/${path}`);
  const known = fixed ?? described.value.get(path)?.served;
  return known ?? { path: `/${path}`, collections: [path], parameters: TABLE_PARAMETERS };
}

/**
 * Returns the search path that finds records of the type: a fixed one, or the type itself if it can be a collection with its own
 * schema. `places` for an unknown type.
 */
export function pathOfType(type: CollectionName): Path {
  const serves = (path: Path) => {
    const { collections, types = [] } = servedUnder(path);
    return [...collections, ...types].includes(type);
  };
  return PATHS.find(serves) ?? (isOwnName(type) ? type : PATHS[0]);
}
