import type { SearchArgument } from "../../hosts/browser/protocol/index.ts";
import { type Search, searchArgument } from "../address/index.ts";
import { readable } from "../text/index.ts";

/** The search as the engine is asked for its records, in the order that the reader chose. */
export function orderedArgument(search: Search): SearchArgument {
  const { sort } = search;
  const order = sort && (sort === "name" ? { by: sort, languages: readable.peek() } : { by: sort });
  return { ...searchArgument(search), order };
}
