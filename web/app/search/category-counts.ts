/**
 * How many places of each category a search would find, whatever categories it has chosen.
 * @module
 */

import { type Search, searchArgument } from "../address/index.ts";
import { remote } from "../worker/index.ts";

/** To count the categories of a whole country every place is read: beyond this many, only when it is asked for. */
export const CATEGORIES_OF_MANY = 50_000;
/** The interface's largest page; there are about 2,000 categories. */
const LIMIT = 25_000;

export interface CategoryCount {
  readonly name: string;
  readonly places: number;
}

/** Most places first. Rejects when they cannot be counted. */
export async function categoryCounts(search: Search, signal: AbortSignal): Promise<readonly CategoryCount[]> {
  const { categories: _, ...filters } = search.filters;
  const { parameters, area } = searchArgument({ ...search, path: "places", filters, page: 0 });
  const asked = { path: "/places/categories", parameters: { ...parameters, limit: String(LIMIT) }, area };
  const groups = await remote("count", asked, signal);
  return groups.map(({ value, rows }) => ({ name: String(value), places: rows }));
}
