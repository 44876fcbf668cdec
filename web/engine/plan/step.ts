import type { PartitionNode } from "../../../data/format/manifest.ts";
import type { Index, PageRef, PartitionRef } from "../index-tree/tree.ts";

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
