/**
 * Searches by filters without a circle: every partition that can hold a match is read. A box leaves out what lies beyond
 * it, a country what is not its own.
 * @module
 */
import { bboxIntersects } from "../../../data/format/bbox.ts";
import { isPage } from "../../../data/format/manifest.ts";
import type { Filters, Query } from "../contract/query.ts";
import { isPageRef, isPartitionRef, leavesOf, mayHoldCountry } from "../index-tree/tree.ts";
import type { KnownIndex, Progress, Step } from "./plan.ts";

/** The next step for a search by filters. */
export function planFilters(query: Query, { bbox }: Filters, index: KnownIndex, progress: Progress): Step {
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
