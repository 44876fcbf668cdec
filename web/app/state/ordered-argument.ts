import type { SearchArgument } from "../../hosts/browser/protocol/index.ts";
import { type Search, searchArgument } from "../address/index.ts";
import { readable } from "../text/index.ts";

/** Returns the search in the form of the engine, in the order that the user chose. */
export function orderedArgument(search: Search): SearchArgument {
  const { sort } = search;
  const order = sort && (sort === "name" ? { by: sort, languages: readable.peek() } : { by: sort });
  return { ...searchArgument(search), order };
}
