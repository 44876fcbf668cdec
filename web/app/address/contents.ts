/** Paths, first search, first view and examples of a dataset, from its manifest. @module */
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import type { Focus } from "../../../data/format/focus.ts";
import type { DatasetSummary } from "../../hosts/browser/protocol/index.ts";
import { collectionsOf } from "./filters.ts";
import { PATHS, type Path, servedUnder } from "./paths.ts";
import { changed, EMPTY_SEARCH, type Search } from "./search.ts";

type Contents = Pick<DatasetSummary, "collections">;
type Held = Contents["collections"][number];

/**
 * Returns the search paths for which the dataset has rows: collections with their own schema, then the fixed paths in the order
 * of their chips.
 */
export function pathsIn({ collections }: Contents): readonly Path[] {
  const names = new Set(collections.map(({ name }) => name));
  const fixed = PATHS.filter((path) => {
    const { collections: searched, types = [] } = servedUnder(path);
    return [...searched, ...types].some((name) => names.has(name));
  });
  // own collections first: they are why the site was built
  return [...collections.flatMap(({ name, schema }) => (schema ? [name] : [])), ...fixed];
}

/**
 * Returns the search that the form shows first: of the first path with rows, without a location. `EMPTY_SEARCH` before the
 * manifest is loaded.
 */
export function startSearch(contents: Contents | undefined): Search {
  const path = contents && pathsIn(contents)[0];
  return path ? ofPath(contents, path) : EMPTY_SEARCH;
}

/**
 * Returns the search of the path without a location. If the dataset lacks the default collections of the path, the other types of
 * the path are chosen.
 */
function ofPath(contents: Contents, path: Path): Search {
  const search = changed(EMPTY_SEARCH, { path });
  if (heldFor(contents, search).length > 0) return search;
  const { types = [] } = servedUnder(path);
  const present = types.filter((type) => contents.collections.some(({ name }) => name === type));
  return changed(search, { filters: { types: present.join(",") } });
}

function heldFor({ collections }: Contents, { path, filters }: Search): readonly Held[] {
  const searched = collectionsOf(path, filters);
  return collections.filter(({ name }) => searched.includes(name));
}

/** Maximum width of a first view. A wider box would show the world. */
const WIDEST_DEGREES = 180;

/**
 * Returns the box of all rows that the first search covers; undefined before the manifest is loaded, without rows, or if the box
 * is wider than 180 degrees.
 */
export function startBox(contents: Contents | undefined): BBox | undefined {
  const held = contents ? heldFor(contents, startSearch(contents)) : [];
  if (held.length === 0) return undefined;
  const bbox = bboxUnion(held.map((collection) => collection.bbox));
  const [west, , east] = bbox;
  return (east < west ? east - west + 360 : east - west) > WIDEST_DEGREES ? undefined : bbox;
}

export interface Example {
  readonly search: Search;
  /** Country of the results, ISO 3166-1 alpha-2; undefined if there may be several. */
  readonly country: string | undefined;
}

const CIRCLES = 2;

/** Returns at most three searches that have results: two circles where rows are dense, and a whole country, divisions first. */
export function examplesIn(contents: Contents): readonly Example[] {
  const paths = pathsIn(contents);
  const circles = paths.flatMap((path) => circleExample(contents, path)).slice(0, CIRCLES);
  const country = [...paths.filter((path) => path === "divisions"), ...paths]
    .flatMap((path) => countryExample(contents, path))
    .slice(0, 1);
  return [...circles, ...country];
}

function circleExample(contents: Contents, path: Path): Example[] {
  const search = ofPath(contents, path);
  const held = heldFor(contents, search).toSorted((a, b) => b.rows - a.rows);
  const focus = held.find((collection) => collection.focus)?.focus;
  return focus ? [{ search: changed(search, circleOf(focus)), country: focus.country }] : [];
}

function circleOf({ lat, lon, radiusMeters }: Focus): Pick<Search, "centre" | "radiusMeters"> {
  return { centre: { lat, lon }, radiusMeters };
}

function countryExample(contents: Contents, path: Path): Example[] {
  const search = ofPath(contents, path);
  const rows = heldFor(contents, search).flatMap(({ countries }) => Object.entries(countries));
  const [most] = rows.toSorted(([, a], [, b]) => b - a);
  return most ? [{ search: changed(search, { country: most[0] }), country: most[0] }] : [];
}
