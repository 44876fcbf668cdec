/**
 * Looks rows up by id, in the id run.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import { compareIds } from "../../data/format/ids.ts";
import { type IndexNode, isPage, type PageNode, type PartitionNode } from "../../data/format/manifest.ts";
import type { RowRef } from "./executor.ts";
import type { Partition } from "./partition.ts";
import type { Lease } from "./partition-cache.ts";
import type { NodeRef } from "./plan.ts";
import type { Release } from "./release.ts";

/** The row with this id, of the first of the collections that has one; undefined when none has. */
export async function findRow(
  { release, lease }: { release: Release; lease: Lease },
  collections: readonly CollectionName[],
  id: string,
  signal?: AbortSignal,
): Promise<RowRef | undefined> {
  for (const collection of collections) {
    const candidates = await partitionsOf(release, collection, id, signal);
    const read = await Promise.all(candidates.map((ref) => lease.read(ref, signal)));
    for (const { partition } of read) {
      const row = rowOf(partition, id);
      if (row !== undefined) return { partition, row };
    }
  }
  return undefined;
}

/** Partitions whose range of ids holds the id: one a country at most. */
async function partitionsOf(
  release: Release,
  collection: CollectionName,
  id: string,
  signal?: AbortSignal,
): Promise<NodeRef<PartitionNode>[]> {
  const found: NodeRef<PartitionNode>[] = [];
  let nodes: readonly IndexNode[] = release.manifest.collections[collection]?.runs.id.nodes ?? [];
  while (nodes.length > 0) {
    const pages: PageNode[] = [];
    for (const node of nodes) {
      if (isPage(node)) {
        if (mayHold(node, id)) pages.push(node);
      } else if (compareIds(node.first_id ?? "", id) <= 0 && compareIds(id, node.last_id ?? id) <= 0) {
        found.push({ collection, run: "id", node });
      }
    }
    await Promise.all(pages.map((page) => release.readPage(collection, page, signal)));
    nodes = pages.flatMap((page) => release.childrenOf(page) ?? []);
  }
  return found;
}

function mayHold({ first, last }: PageNode, id: string): boolean {
  if (!first || !last || first[0] !== last[0]) return true;
  return compareIds(first[1], id) <= 0 && compareIds(id, last[1]) <= 0;
}

function rowOf(partition: Partition, id: string): number | undefined {
  let low = 0;
  let high = partition.rows - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compareIds(partition.id(middle), id);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
