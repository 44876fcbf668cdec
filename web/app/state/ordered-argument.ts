import type { SearchArgument } from "../../hosts/browser/protocol/index.ts";
import { columnOfSort, isByRelevance, type Search, searchArgument } from "../address/index.ts";
import { readable } from "../text/index.ts";

const MINUTE_MS = 60_000;

/**
 * Returns the search as the worker takes it, in the order that the user chose. If it is for open records, with the current
 * minute.
 */
export function orderedArgument(search: Search): SearchArgument {
  const { isOpenNow } = search;
  const openAt = isOpenNow ? Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS : undefined;
  return { ...searchArgument(search), order: orderOf(search), ...(openAt === undefined ? {} : { openAt }) };
}

function orderOf(search: Search): SearchArgument["order"] {
  const { path, sort } = search;
  const languages = readable.peek();
  if (sort === undefined) return isByRelevance(search) ? { by: "relevance", languages } : undefined;
  const column = columnOfSort(path, sort);
  if (column) return { by: "column", ...column, language: languages[0] ?? "en" };
  return sort === "confidence" ? { by: sort } : { by: "name", languages };
}
