import type { CollectionName } from "../../../data/format/collections.ts";
import { isOwnName } from "../../../data/format/own-collections.ts";
import { SEARCH_PATHS, type SearchPath } from "../../search/index.ts";

/** The fixed search paths that have a chip, in order. */
export const PATHS = ["places", "buildings", "addresses", "base", "transportation", "divisions"] as const;

/** A fixed path, or the name of a collection with its own schema. */
export type Path = string;

/** Whether the name can be a path: the dataset decides whether it has a collection with its own schema. */
export function isPath(name: string): boolean {
  return PATHS.some((path) => path === name) || isOwnName(name);
}

const own = new Map<string, SearchPath>();

/** Returns the definition of the path in the REST interface; of an own collection what all of them have. */
export function servedUnder(path: Path): SearchPath {
  const fixed = SEARCH_PATHS.find((known) => known.path === `/${path}`);
  if (fixed) return fixed;
  const known = own.get(path) ?? { path: `/${path}`, collections: [path], parameters: ["name", "categories"] };
  own.set(path, known);
  return known;
}

/** Returns the search path that serves records of the type. */
export function pathOfType(type: CollectionName): Path {
  const serves = (path: Path) => {
    const { collections, types = [] } = servedUnder(path);
    return [...collections, ...types].includes(type);
  };
  return PATHS.find(serves) ?? (isOwnName(type) ? type : PATHS[0]);
}
