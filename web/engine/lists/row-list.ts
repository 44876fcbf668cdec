/**
 * Rows that match without a region, as numbers: a posting list, what several have in common, or all of a country.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import type { RowRef } from "../store/rows.ts";
import type { RowNumbers } from "../terms/posting-lists.ts";

/** The rows of a page, and the number of all that match. */
export interface FoundPage {
  readonly total: number;
  readonly rows: readonly RowRef[];
}

/** Rows of one country of a collection, in the order of their ids, which is that of their numbers. */
export interface RowList {
  readonly collection: CollectionName;
  readonly country: string;
  /** Undefined where it is all rows of the country. */
  readonly numbers?: RowNumbers;
  readonly total: number;
}

/** Rows of a list that stand near each other among the records: their ids lie between two ids, both included. */
export interface Part {
  readonly list: RowList;
  readonly ref: PartitionRef<"records">;
  readonly rows: number;
  readonly first: string;
  readonly last: string;
}

/** A part that is one group of the records. */
export interface GroupPart extends Part {
  readonly block: number;
  /** How many blocks it takes. */
  readonly blocks: number;
}
