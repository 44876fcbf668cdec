/**
 * Decides what to read next for a query. Pure: a function of the query, the index as far as it is known, and the
 * distances of the rows read so far.
 * @module
 */
import type { PartitionNode } from "../../../data/format/manifest.ts";
import { EngineError } from "../contract/errors.ts";
import type { Query } from "../contract/query.ts";
import type { Index, PageRef, PartitionRef } from "../index-tree/tree.ts";
import { planCountry } from "./plan-country.ts";
import { planFilters } from "./plan-filters.ts";
import { planRegion } from "./plan-region.ts";
import { regionOf } from "./region.ts";

/** What is known so far. */
export interface Progress {
  isRead(partition: PartitionNode): boolean;
  /** Distances of the rows that match in a partition whose shapes alone have been read, metres, in order. */
  measured(partition: PartitionNode): Float64Array | undefined;
  /** Rows that match in what was read or measured. */
  readonly matched: number;
  /** Distance of the row at this rank among those, metres; Infinity when there are fewer. */
  distanceAt(rank: number): number;
}

/** What to do next. The files of a step do not depend on each other. */
export type Step =
  | { readonly kind: "read-pages"; readonly pages: readonly PageRef[] }
  | {
      readonly kind: "read-partitions";
      readonly partitions: readonly PartitionRef[];
      /** Partitions of which only the distances are wanted, and whose shapes are therefore enough. */
      readonly shapes?: readonly PartitionRef[];
    }
  | {
      readonly kind: "done";
      /** Rank of the page's first row among the rows read that match. */
      readonly start: number;
      /** Rows that match in partitions of which no row was read, and the number of those partitions. */
      readonly countedRows: number;
      readonly countedPartitions: number;
    };

/** The index, as far as it is known. */
export type KnownIndex = Pick<Index, "manifest" | "childrenOf">;

/** The next step for the query. */
export function planStep(query: Query, index: KnownIndex, progress: Progress): Step {
  const region = regionOf(query);
  if (region) return planRegion(query, region, index, progress);
  if (query.filters) return planFilters(query, query.filters, index, progress);
  if (query.country !== undefined) return planCountry(query, query.country, index, progress);
  throw new EngineError("query has neither a circle nor an area nor a country nor filters, expected at least one");
}
