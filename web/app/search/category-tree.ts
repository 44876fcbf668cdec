/** The hierarchy of categories, from their counts. @module */
import type { FacetCount } from "../../engine/index.ts";

interface CategoryTree {
  /** Returns the ancestors of the category, nearest first. */
  above(value: string): readonly string[];
  /** Returns the children, most rows first; at the top for undefined. */
  below(value: string | undefined): readonly FacetCount[];
}

/** Builds the tree. Categories whose parent is not counted, or is their descendant, are at the top. */
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
