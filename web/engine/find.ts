/**
 * Looks rows up by id, in the id run.
 * @module
 */
import type { CollectionName } from "../../data/format/collections.ts";
import { compareIds } from "../../data/format/ids.ts";
import { type IndexNode, isPage, type PageNode, type PartitionNode } from "../../data/format/manifest.ts";
import type { RowRef } from "./execute/executor.ts";
import { countriesOfId } from "./lookup.ts";
import type { Partition } from "./release/partition.ts";
import type { Lease, PartitionRef, ReadTable } from "./release/partition-cache.ts";
import type { Release } from "./release/release.ts";

interface FindContext {
  readonly release: Release;
  readonly lease: Lease;
  readonly readTable: ReadTable;
}

/** The row with this id, of the first of the collections that has one; undefined when none has. */
export async function findRow(
  { release, lease, readTable }: FindContext,
  collections: readonly CollectionName[],
  id: string,
  signal?: AbortSignal,
): Promise<RowRef | undefined> {
  const places = await Promise.all(
    collections.map(async (collection) => ({
      collection,
      countries: await countriesOfId({ release, collection }, id, { readTable, signal }),
    })),
  );
  for (const { collection, countries } of places) {
    const candidates = countries
      ? (
          await Promise.all(countries.map((country) => idPartitions({ release, collection, country }, id, signal)))
        ).flat()
      : await idPartitions({ release, collection }, id, signal);
    const read = await Promise.all(candidates.map((ref) => lease.read(ref, signal)));
    for (const { partition } of read) {
      const row = rowOfId(partition, id);
      if (row !== undefined) return { partition, row };
    }
  }
  return undefined;
}

/** Partitions of the id run whose range holds the id: one a country at most, or the one of the country. */
export async function idPartitions(
  { release, collection, country }: { release: Release; collection: CollectionName; country?: string },
  id: string,
  signal?: AbortSignal,
): Promise<PartitionRef[]> {
  const found: PartitionRef[] = [];
  let nodes: readonly IndexNode[] = release.manifest.collections[collection]?.runs.id.nodes ?? [];
  while (nodes.length > 0) {
    const pages = nodes.filter((node): node is PageNode => isPage(node) && pageMayHold(node, id, country));
    for (const node of nodes) {
      if (!isPage(node) && mayHold(node, id, country)) found.push({ collection, run: "id", node });
    }
    await Promise.all(pages.map((page) => release.readPage(collection, page, signal)));
    nodes = pages.flatMap((page) => release.childrenOf(page) ?? []);
  }
  return found;
}

function mayHold(node: PartitionNode, id: string, country?: string): boolean {
  if (country !== undefined && node.country !== country) return false;
  return compareIds(node.first_id ?? "", id) <= 0 && compareIds(id, node.last_id ?? id) <= 0;
}

function pageMayHold({ first, last }: PageNode, id: string, country?: string): boolean {
  if (!first || !last) return true;
  if (country !== undefined) {
    if (first[0] > country || last[0] < country) return false;
    if (first[0] === country && compareIds(id, first[1]) < 0) return false;
    return last[0] !== country || compareIds(id, last[1]) <= 0;
  }
  if (first[0] !== last[0]) return true;
  return compareIds(first[1], id) <= 0 && compareIds(id, last[1]) <= 0;
}

/** The row with the id in a partition of the id run; undefined when there is none. */
export function rowOfId(partition: Partition, id: string): number | undefined {
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
