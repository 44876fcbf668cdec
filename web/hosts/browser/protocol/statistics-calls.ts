/**
 * Calls for statistics over all rows of a search. The search worker answers `statisticsTable`, DuckDB's worker `countTable`.
 * @module
 */
import type { SearchArgument } from "./search-calls.ts";

/** Facets by which rows are counted. Each has the name of its filter. */
export const FACETS = ["categories", "brand_name", "operating_status", "types", "subtype", "class"] as const;
export type Facet = (typeof FACETS)[number];

export const MOST_LISTED_VALUES = 10;
/** Number of equal steps of confidence, from 0 to 1. */
export const CONFIDENCE_STEPS = 10;

export interface FacetCounts {
  readonly facet: Facet;
  /** Number of different values. */
  readonly values: number;
  /**
   * The most frequent values with the number of rows that a filter on each would find: most rows first, then by the bytes of the
   * value.
   */
  readonly listed: readonly { readonly value: string; readonly rows: number }[];
}

export interface Statistics {
  readonly rows: number;
  readonly facets: readonly FacetCounts[];
  /** For each step of confidence, the number of rows with at least its lower bound. Undefined if no row has a confidence. */
  readonly confidence?: readonly number[];
}

export interface StatisticsCalls {
  /**
   * Returns all rows of a search as an Arrow stream: a list column per facet, and `confidence`. A facet that the search filters
   * by has only the values of the filter: others may have more rows than were found.
   */
  statisticsTable: { argument: SearchArgument; value: ArrayBuffer };
  countTable: { argument: ArrayBuffer; value: Statistics };
}
