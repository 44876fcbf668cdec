/** What the page may ask about all rows of a search together: the first of its own worker, the second of DuckDB's. @module */
import type { SearchArgument } from "./search-calls.ts";

/** What rows are counted by, each called as the filter that chooses by it. */
export const FACETS = ["categories", "brand_name", "operating_status", "types", "subtype", "class"] as const;
export type Facet = (typeof FACETS)[number];

export const MOST_LISTED_VALUES = 10;
/** Confidence, from 0 to 1, is counted in so many steps of the same width. */
export const CONFIDENCE_STEPS = 10;

export interface FacetCounts {
  readonly facet: Facet;
  readonly values: number;
  /** Each with the rows that its filter finds in place of the search's own of that name. Most rows first, then by the bytes of the value. */
  readonly listed: readonly { readonly value: string; readonly rows: number }[];
}

export interface Statistics {
  readonly rows: number;
  readonly facets: readonly FacetCounts[];
  /** Rows that have at least the lower end of each step of confidence; left out where no row has one. */
  readonly confidence?: readonly number[];
}

export interface StatisticsCalls {
  /**
   * All rows that a search finds as an Arrow stream: a column of lists for each facet, and `confidence`. Where the search has the facet's
   * filter, the values that it names alone: of others there may be more rows than were found.
   */
  statisticsTable: { argument: SearchArgument; value: ArrayBuffer };
  countTable: { argument: ArrayBuffer; value: Statistics };
}
