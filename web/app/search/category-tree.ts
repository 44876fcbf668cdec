/** The hierarchy of categories that occur in search results. @module */
import type { FacetCount } from "../../engine/index.ts";

interface CategoryTree {
  /** Returns the ancestors of the category, nearest first. */
  above(value: string): readonly string[];
  /** Returns the children of the category, in the order of the counted ones; undefined asks for those without a parent. */
  below(value: string | undefined): readonly FacetCount[];
}

/**
 * Builds the hierarchy from counted categories. A category whose parent is not counted, or that is its own ancestor, has no
 * parent.
 */
export function categoryTree(counts: readonly FacetCount[]): CategoryTree {
  const parentOf = new Map(counts.map(({ value, parent }) => [value, parent]));
  const above = (value: string): string[] => {
    const path = new Set<string>();
    for (let at = parentOf.get(value); at !== undefined && parentOf.has(at) && !path.has(at); at = parentOf.get(at))
      path.add(at);
    return path.has(value) ? [] : [...path];
  };
  const levels = new Map<string | undefined, FacetCount[]>();
  for (const count of counts) {
    const [parent] = above(count.value);
    levels.set(parent, [...(levels.get(parent) ?? []), count]);
  }
  return { above, below: (value) => levels.get(value) ?? [] };
}
