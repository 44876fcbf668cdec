/**
 * Runs searches for all interfaces.
 * @module
 */
import { type Area, AreaTooLargeError } from "../../data/format/area.ts";
import { textOf } from "../../data/format/json.ts";
import { NO_COUNTRY } from "../../data/format/manifest.ts";
import type { Facet } from "../../data/format/terms.ts";
import type { Dataset, FacetCount, Feature, FindOptions, Group, Order, SearchResult } from "../engine/index.ts";
import { type CountPath, collectionsOf, type SearchPath } from "./paths.ts";
import { ParameterError, type Search, TooLargeError } from "./search.ts";
import { show } from "./values.ts";

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface SearchRunOptions extends RunOptions {
  /** An older release of the dataset; default: the current one. */
  readonly release?: string | undefined;
}

export interface Counted {
  readonly total: number;
  readonly groups: readonly Group[];
}

/** Runs a search. Throws like `Dataset.search`, and `ParameterError` when no division has the id of `within`. */
export async function runSearch(
  dataset: Dataset,
  search: Search,
  options: SearchRunOptions = {},
): Promise<SearchResult> {
  return bounded(async () => dataset.search(await located(dataset, search, { signal: options.signal }), options));
}

/** Returns the search with another order of its rows. */
export function withOrder(search: Search, order: Order): Search {
  return { ...search, query: { ...search.query, order } };
}

/** Counts the places that the search finds. */
export async function runCount(
  dataset: Dataset,
  { by }: CountPath,
  search: Search,
  options: RunOptions = {},
): Promise<Counted> {
  return bounded(async () => dataset.group(await located(dataset, search, options), by, options));
}

/** Returns the values of a facet, each with the number of results that a filter on it alone would leave. */
export async function runFacet(
  dataset: Dataset,
  facet: Facet,
  search: Search,
  options: RunOptions = {},
): Promise<readonly FacetCount[]> {
  return bounded(async () => dataset.facet(await located(dataset, search, options), facet, options));
}

/** Returns the record of the path with this id; undefined for an unknown id. */
export function findRecord(
  dataset: Dataset,
  path: SearchPath,
  id: string,
  options: FindOptions = {},
): Promise<Feature | undefined> {
  return dataset.find(collectionsOf(path), id, options);
}

/** Converts limits of the engine to errors of the caller. */
async function bounded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AreaTooLargeError) throw new TooLargeError([error.message]);
    throw error;
  }
}

async function located(dataset: Dataset, { query, within }: Search, options: RunOptions): Promise<Search["query"]> {
  return within === undefined ? query : { ...query, area: await outlineOf(dataset, within, options) };
}

async function outlineOf(dataset: Dataset, id: string, options: RunOptions): Promise<Area> {
  const found = await dataset.find(["division_area", "division"], id, options);
  const outline = found && (areaOf(found) ?? (await areaOfDivision(dataset, found, options)));
  if (outline) return outline;
  const what = found ? "a division that has an outline" : "the id of a division";
  throw new ParameterError([`within must be ${what}, got ${show(id)}`]);
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
