/** Categories below one another, as their counts tell it. @module */
import type { FacetCount } from "../../engine/index.ts";

export interface CategoryTree {
  /** What stands above the category, nearest first. */
  above(value: string): readonly string[];
  /** What stands next below it, most rows first; at the top for undefined. */
  below(value: string | undefined): readonly FacetCount[];
}

/** Whose parent is not counted, or stands below them, stands at the top. */
export function categoryTree(counts: readonly FacetCount[]): CategoryTree {
  const told = new Map(counts.map(({ value, parent }) => [value, parent]));
  const above = (value: string): string[] => {
    const path = new Set<string>();
    for (let at = told.get(value); at !== undefined && told.has(at) && !path.has(at); at = told.get(at)) path.add(at);
    return path.has(value) ? [] : [...path];
  };
  const levels = new Map<string | undefined, FacetCount[]>();
  for (const count of counts) {
    const [parent] = above(count.value);
    levels.set(parent, [...(levels.get(parent) ?? []), count]);
  }
  return { above, below: (value) => levels.get(value) ?? [] };
}
