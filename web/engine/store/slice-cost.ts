/**
 * The cost of slices of the primary copy.
 * @module
 */
import type { PartitionRef } from "../index-tree/tree.ts";
import type { Session } from "./session.ts";

/** Returns the bytes that reading the slices costs, requests included. Slices in memory cost nothing. */
export function sliceReadCost(session: Session, refs: readonly PartitionRef<"location">[]): number {
  const { requestBytes } = session.costs();
  const unread = refs.filter(({ node }) => !session.isCached(node));
  return unread.reduce((sum, { node }) => sum + node.bytes + requestBytes, 0);
}

/**
 * Returns what `sliceReadCost` returns, plus the bytes of the Parquet reader if a slice must be read and the reader is not
 * loaded.
 */
export function sliceCost(session: Session, refs: readonly PartitionRef<"location">[]): number {
  const cost = sliceReadCost(session, refs);
  return cost > 0 ? cost + session.costs().decodeBytes : 0;
}
