/**
 * The id run: rows by their id.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { isPage, type PageNode, type PartitionNode } from "../../../data/format/manifest.ts";
import { firstIndex } from "../../../data/format/sorted.ts";
import { findPartitions, type PartitionRef } from "../index-tree/tree.ts";
import type { Partition } from "./partition.ts";
import type { Session } from "./session.ts";

/** Partitions of the id run whose range holds the id: one a country at most, or the one of the country. */
export function idPartitions(
  session: Session,
  { collection, country }: { readonly collection: CollectionName; readonly country?: string | undefined },
  id: string,
): Promise<PartitionRef[]> {
  return findPartitions(session, { collection, run: "id" }, (node) =>
    isPage(node) ? pageMayHold(node, id, country) : mayHold(node, id, country),
  );
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
export function rowOfId({ rows, id: idAt }: Partition, id: string): number | undefined {
  const row = firstIndex(rows, (at) => compareIds(idAt(at), id) >= 0);
  return row < rows && idAt(row) === id ? row : undefined;
}
