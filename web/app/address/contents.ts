/** Paths, first search, first view and examples of a dataset, from the summary of its manifest. @module */
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import type { Focus } from "../../../data/format/focus.ts";
import type { DatasetSummary } from "../../hosts/browser/protocol/index.ts";
import { collectionsOf } from "./filters.ts";
import { PATHS, type Path, servedUnder } from "./paths.ts";
import { changed, EMPTY_SEARCH, type Search } from "./search.ts";

type Contents = Pick<DatasetSummary, "collections">;
type Held = Contents["collections"][number];

/** The search paths of which the dataset has rows, in the order of the chips. */
export function pathsIn({ collections }: Contents): readonly Path[] {
  const names = new Set(collections.map(({ name }) => name));
  return PATHS.filter((path) => {
    const { collections: searched, types = [] } = servedUnder(path);
    return [...searched, ...types].some((name) => names.has(name));
  });
}

/** The search before anything was chosen: of the first path that has rows, and of the types that it has. */
export function startSearch(contents: Contents | undefined): Search {
  const path = contents && pathsIn(contents)[0];
  return path ? ofPath(contents, path) : EMPTY_SEARCH;
}

/** Of a path whose usual collections are not in the dataset, its other types are searched. */
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

/** A map that is this wide shows the world: a box of a dataset of all continents is no place to look at. */
const WIDEST_DEGREES = 180;

/** Where the rows of the first search are; undefined where that is half the world, and before the manifest is here. */
export function startBox(contents: Contents | undefined): BBox | undefined {
  const held = contents ? heldFor(contents, startSearch(contents)) : [];
  if (held.length === 0) return undefined;
  const bbox = bboxUnion(held.map((collection) => collection.bbox));
  const [west, , east] = bbox;
  return (east < west ? east - west + 360 : east - west) > WIDEST_DEGREES ? undefined : bbox;
}

export interface Example {
  readonly search: Search;
  /** Of what it finds; undefined where that may be of several. */
  readonly country: string | undefined;
}

const CIRCLES = 2;

/** Searches that find something: circles where rows are dense, and one of a whole country. */
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

/** Of the country with most rows. */
function countryExample(contents: Contents, path: Path): Example[] {
  const search = ofPath(contents, path);
  const rows = heldFor(contents, search).flatMap(({ countries }) => Object.entries(countries));
  const [most] = rows.toSorted(([, a], [, b]) => b - a);
  return most ? [{ search: changed(search, { country: most[0] }), country: most[0] }] : [];
}
