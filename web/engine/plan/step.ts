import type { PartitionNode } from "../../../data/format/manifest.ts";
import type { Index, PageRef, PartitionRef } from "../index-tree/tree.ts";

/** What a search by location has read so far. */
export interface Progress {
  /** Whether the points of the partition were read. */
  isRead(partition: PartitionNode): boolean;
  /** Number of matching rows among those read. */
  readonly matched: number;
  /** Distance in metres of the matching row at this rank, from 0; Infinity when fewer were read. */
  distanceAt(rank: number): number;
}

/** What to do next. The slices of a step do not depend on each other. */
export type Step =
  | { readonly kind: "read-pages"; readonly pages: readonly PageRef[] }
  | { readonly kind: "read-points"; readonly partitions: readonly PartitionRef<"location">[] }
  | {
      readonly kind: "done";
      /** Rank of the page's first row among the rows read that match. */
      readonly start: number;
      /** Rows that match in partitions whose points were not read, and the number of those partitions. */
      readonly countedRows: number;
      readonly countedPartitions: number;
      /** Metres: no partition that was not read has a row at a smaller distance. */
      readonly sureMeters: number;
    };

/** The index, as far as it is known. */
export type KnownIndex = Pick<Index, "manifest" | "childrenOf">;
