/**
 * Matching rows without a region, as numbers: a posting list, an intersection, or all rows of a country.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import type { RowRef } from "../store/rows.ts";
import type { RowNumbers } from "../terms/posting-lists.ts";

export interface FoundPage {
  readonly total: number;
  readonly rows: readonly RowRef[];
}

/** Rows of one country of a collection in the order of their ids, which is also the order of their numbers. */
export interface RowList {
  readonly collection: CollectionName;
  readonly country: string;
  /** Row numbers, ascending. Undefined for all rows of the country. */
  readonly numbers?: RowNumbers;
  readonly total: number;
}

/** The rows of a list in one segment (a range of ids). `first` and `last` bound their ids, both inclusive. */
export interface SegmentPart {
  readonly list: RowList;
  readonly ref: PartitionRef<"ids">;
  readonly rows: number;
  readonly first: string;
  readonly last: string;
}

/** The rows of a list in one block of a segment. */
export interface BlockPart extends SegmentPart {
  readonly block: number;
}
