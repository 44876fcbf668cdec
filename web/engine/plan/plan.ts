/**
 * Decides what to read next for a query. Pure: a function of the query, the index as far as it is known, and the
 * distances of the rows read so far.
 * @module
 */
import { bboxIntersects } from "../../../data/format/bbox.ts";
import { isPage } from "../../../data/format/manifest.ts";
import { EngineError } from "../contract/errors.ts";
import type { Filters, Query } from "../contract/query.ts";
import { isPageRef, isPartitionRef, leavesOf, mayHoldCountry } from "../index-tree/tree.ts";
import { planCountry } from "./plan-country.ts";
import { planRegion } from "./plan-region.ts";
import { regionOf } from "./region.ts";
import type { KnownIndex, Progress, Step } from "./step.ts";

/** The next step for the query. */
export function planStep(query: Query, index: KnownIndex, progress: Progress): Step {
  const region = regionOf(query);
  if (region) return planRegion(query, region, index, progress);
  if (query.filters) return planFilters(query, query.filters, index, progress);
  if (query.country !== undefined) return planCountry(query, query.country, index, progress);
  throw new EngineError("query has neither a circle nor an area nor a country nor filters, expected at least one");
}

/**
 * Filters without a circle: every partition that can hold a match is read. A box leaves out what lies beyond it, a country
 * what is not its own.
 */
function planFilters(query: Query, { bbox }: Filters, index: KnownIndex, progress: Progress): Step {
  const { country, collections, maxPartitionBytes = Number.POSITIVE_INFINITY } = query;
  const run = bbox ? "location" : "id";
  const leaves = collections.flatMap((collection) =>
    leavesOf(index, { collection, run }, (node) => {
      if (bbox && !bboxIntersects(bbox, node.bbox)) return false;
      if (country !== undefined && !mayHoldCountry(node, country)) return false;
      return isPage(node) || node.bytes <= maxPartitionBytes;
    }),
  );
  const pages = leaves.filter(isPageRef);
  if (pages.length > 0) return { kind: "read-pages", pages };
  const partitions = leaves.filter(isPartitionRef).filter(({ node }) => !progress.isRead(node));
  if (partitions.length > 0) return { kind: "read-partitions", partitions };
  return { kind: "done", start: query.offset, countedRows: 0, countedPartitions: 0 };
}
