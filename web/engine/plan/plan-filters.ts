/**
 * Searches by filters without a circle: every partition that can hold a match is read. A box leaves out what lies beyond
 * it, a country what is not its own.
 * @module
 */
import { bboxIntersects } from "../../../data/format/bbox.ts";
import {
  type IndexNode,
  isPage,
  type Manifest,
  type PageNode,
  type PartitionNode,
} from "../../../data/format/manifest.ts";
import type { Filters, Query } from "../query.ts";
import type { NodeRef, Progress, Step } from "./plan.ts";

/** The next step for a search by filters. */
export function planFilters(query: Query, { bbox }: Filters, manifest: Manifest, progress: Progress): Step {
  const { country, collections, maxPartitionBytes = Number.POSITIVE_INFINITY } = query;
  const run = bbox ? "location" : "id";
  const pages: NodeRef<PageNode>[] = [];
  const partitions: NodeRef<PartitionNode>[] = [];
  for (const collection of collections) {
    const visit = (node: IndexNode): void => {
      if (bbox && !bboxIntersects(bbox, node.bbox)) return;
      if (country !== undefined && !mayHoldCountry(node, country)) return;
      if (!isPage(node)) {
        if (node.bytes <= maxPartitionBytes) partitions.push({ collection, run, node });
        return;
      }
      const children = progress.childrenOf(node);
      if (children) children.forEach(visit);
      else pages.push({ collection, run, node });
    };
    manifest.collections[collection]?.runs[run].nodes.forEach(visit);
  }
  if (pages.length > 0) return { kind: "read-pages", pages };
  const unread = partitions.filter(({ node }) => !progress.isRead(node));
  if (unread.length > 0) return { kind: "read-partitions", partitions: unread };
  return { kind: "done", start: query.offset, countedRows: 0, countedPartitions: 0 };
}

function mayHoldCountry(node: IndexNode, country: string): boolean {
  if (!isPage(node)) return node.country === country;
  const [first] = node.first ?? [country];
  const [last] = node.last ?? [country];
  return first <= country && country <= last;
}
