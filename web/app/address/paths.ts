import type { OvertureType } from "../../../data/format/collections.ts";
import { SEARCH_PATHS } from "../../search/index.ts";

/** The search paths that have a chip, in order. */
export const PATHS = ["places", "buildings", "addresses", "base", "transportation", "divisions"] as const;
export type Path = (typeof PATHS)[number];

/** Returns the definition of the path in the REST interface. */
export function servedUnder(path: Path): (typeof SEARCH_PATHS)[number] {
  const found = SEARCH_PATHS.find((known) => known.path === `/${path}`);
  if (!found) throw new Error(`no path /${path}`);
  return found;
}

/** Returns the search path that serves records of the type. */
export function pathOfType(type: OvertureType): Path {
  const serves = (path: Path) => {
    const { collections, types = [] } = servedUnder(path);
    return [...collections, ...types].includes(type);
  };
  return PATHS.find(serves) ?? PATHS[0];
}
