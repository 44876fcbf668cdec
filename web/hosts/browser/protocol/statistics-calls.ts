/**
 * Calls for statistics over all rows of a search. The search worker answers the first, DuckDB's worker the second.
 * @module
 */
import type { SearchArgument } from "./search-calls.ts";

/** Facets that rows are counted by, each named like its filter. */
export const FACETS = ["categories", "brand_name", "operating_status", "types", "subtype", "class"] as const;
export type Facet = (typeof FACETS)[number];

export const MOST_LISTED_VALUES = 10;
/** Number of equal steps of confidence, from 0 to 1. */
export const CONFIDENCE_STEPS = 10;

export interface FacetCounts {
  readonly facet: Facet;
  readonly values: number;
  /**
   * Values with the number of rows that a filter on the value would find, most first, then by the bytes of the value.
   */
  readonly listed: readonly { readonly value: string; readonly rows: number }[];
}

export interface Statistics {
  readonly rows: number;
  readonly facets: readonly FacetCounts[];
  /** Rows with at least the lower bound of each step of confidence; left out if no row has one. */
  readonly confidence?: readonly number[];
}

export interface StatisticsCalls {
  /**
   * All rows of a search as an Arrow stream: a list column per facet, and `confidence`. If the search filters by the
   * facet, only the values of the filter, because other values may have more rows than were found.
   */
  statisticsTable: { argument: SearchArgument; value: ArrayBuffer };
  countTable: { argument: ArrayBuffer; value: Statistics };
}
