/**
 * Runs searches for all interfaces.
 * @module
 */
import { type Area, AreaTooLargeError } from "../../data/format/area.ts";
import { textOf } from "../../data/format/json.ts";
import { NO_COUNTRY } from "../../data/format/manifest.ts";
import type { Facet } from "../../data/format/terms.ts";
import type {
  Dataset,
  FacetCount,
  Feature,
  FindOptions,
  Group,
  LocatedRows,
  Order,
  Query,
  SearchResult,
} from "../engine/index.ts";
import { type CountPath, collectionsOf, type SearchPath } from "./paths.ts";
import { ParameterError, type Search, TooLargeError } from "./search.ts";
import { show } from "./values.ts";

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
}

/** A page of groups. `total` is the number of groups on all pages. */
export interface Counted {
  readonly total: number;
  readonly groups: readonly Group[];
}

/**
 * Returns the page of records that the search finds. Throws like `Dataset.search`, `ParameterError` when no division with an
 * outline has the id of `within`, and `TooLargeError` when an area is too large.
 */
export function runSearch(dataset: Dataset, search: Search, options: RunOptions = {}): Promise<SearchResult> {
  return located(dataset, search, { ...options, run: (release, query) => release.search(query, options) });
}

/**
 * Returns the number of rows that the search finds, and their geometries if there are at most `maxRows`. Throws like `runSearch`.
 */
export function runLocate(
  dataset: Dataset,
  search: Search,
  { maxRows, ...options }: RunOptions & { readonly maxRows: number },
): Promise<LocatedRows> {
  return located(dataset, search, {
    ...options,
    run: (release, query) => release.locate(query, { maxRows, ...options }),
  });
}

/** Returns the search with another order of its rows. */
export function withOrder(search: Search, order: Order): Search {
  return { ...search, query: { ...search.query, order } };
}

/**
 * Counts the places that the search finds by the group of the path: brand, category or country. Returns a page of the groups,
 * largest first. Throws like `runSearch`.
 */
export function runCount(
  dataset: Dataset,
  { by }: CountPath,
  search: Search,
  options: RunOptions = {},
): Promise<Counted> {
  return located(dataset, search, { ...options, run: (release, query) => release.group(query, by, options) });
}

/**
 * Returns the values of a facet among the rows of the search, largest count first. The count of a value is the number of these
 * rows that have it. Throws like `runSearch`.
 */
export function runFacet(
  dataset: Dataset,
  facet: Facet,
  search: Search,
  options: RunOptions = {},
): Promise<readonly FacetCount[]> {
  return located(dataset, search, { ...options, run: (release, query) => release.facet(query, facet, options) });
}

/** Returns the record with this id from the collections of the path; undefined for an unknown id. */
export function findRecord(
  dataset: Dataset,
  path: SearchPath,
  id: string,
  options: FindOptions = {},
): Promise<Feature | undefined> {
  return dataset.find(collectionsOf(path), id, options);
}

/**
 * Calls `run` with the search's release and query. The outline of `within` is then the query's area. Throws `ParameterError` for
 * an unknown `within`, `ReleaseError` for an unknown release, and `TooLargeError` for an area that takes too long.
 */
export async function located<T>(
  dataset: Dataset,
  { query, within, release }: Search,
  { run, signal }: RunOptions & { readonly run: (release: Dataset, query: Query) => Promise<T> },
): Promise<T> {
  const work = async (pinned: Dataset): Promise<T> => {
    const area = within === undefined ? undefined : await outlineOf(pinned, within, { signal });
    return run(pinned, area ? { ...query, area } : query);
  };
  try {
    return await dataset.onRelease(work, { release, signal });
  } catch (error) {
    if (error instanceof AreaTooLargeError) throw new TooLargeError([error.message]);
    throw error;
  }
}

/**
 * Returns the outline of the division or division area with this id. If sea is a separate area, returns the land. Throws
 * `ParameterError`, whose message begins with `parameter`, for an unknown id or a division without an outline.
 */
export async function outlineOf(
  dataset: Dataset,
  id: string,
  options: RunOptions,
  parameter = "within",
): Promise<Area> {
  const found = await dataset.find(["division_area", "division"], id, options);
  const outline = found && (areaOf(found) ?? (await areaOfDivision(dataset, found, options)));
  if (outline) return outline;
  const what = found ? "a division that has an outline" : "the id of a division";
  throw new ParameterError([`${parameter} must be ${what}, got ${show(id)}`]);
}

/** The area whose `division_id` is the division: both declare the same country. */
async function areaOfDivision(
  dataset: Dataset,
  { id, properties }: Feature,
  options: RunOptions,
): Promise<Area | undefined> {
  const country = textOf(properties.country) ?? NO_COUNTRY;
  const filters = { terms: [[`division:${id}`]] };
  const query = { collections: ["division_area"] as const, country, filters, offset: 0, limit: MOST_AREAS };
  const { features } = await dataset.search(query, options);
  // land, if the sea around it is a separate area
  const [area] = [...features()].sort((a, b) => Number(isSea(a)) - Number(isSea(b)));
  return area && areaOf(area);
}

/** A division has one land area and at most one sea area. */
const MOST_AREAS = 10;

function isSea({ properties }: Feature): boolean {
  return properties.class !== "land";
}

function areaOf({ geometry }: Feature): Area | undefined {
  return geometry.type === "Polygon" || geometry.type === "MultiPolygon" ? geometry : undefined;
}
