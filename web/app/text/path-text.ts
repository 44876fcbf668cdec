import { text } from "./text.ts";

const PATHS = ["places", "buildings", "addresses", "base", "transportation", "divisions"] as const;
const fixed = (path: string) => PATHS.find((known) => known === path);

/** Returns the label of a search path; of a collection with its own schema its name. */
export function pathText(path: string): string {
  const known = fixed(path);
  return known ? text(`path.${known}`) : path.charAt(0).toUpperCase() + path.slice(1).replaceAll("_", " ");
}

/** Returns how many records of a search path were found. */
export function foundText(path: string, count: number): string {
  return text(`found.${fixed(path) ?? "places"}`, { count });
}
