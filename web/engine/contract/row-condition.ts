/**
 * Conditions on rows that the index can test too: bbox and country.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { LocationNode } from "../../../data/format/manifest.ts";

export const BOX_MEMBERS = ["xmin", "xmax", "ymin", "ymax"] as const;
export type BoxMember = (typeof BOX_MEMBERS)[number];

export const COMPARISONS = ["=", "!=", "<", "<=", ">", ">="] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A condition on a row, as plain data. An empty `all` holds for every row, an empty `any` for no row. */
export type RowCondition =
  | { readonly kind: "all"; readonly of: readonly RowCondition[] }
  | { readonly kind: "any"; readonly of: readonly RowCondition[] }
  | { readonly kind: "box"; readonly member: BoxMember; readonly comparison: Comparison; readonly value: number }
  /** The bbox of the row crosses the antimeridian: its west is greater than its east. */
  | { readonly kind: "crossing" }
  | { readonly kind: "country"; readonly comparison: Comparison; readonly value: string };

export const EVERY_ROW: RowCondition = { kind: "all", of: [] };

/** Rows of a collection that a caller wants. */
export interface WantedRows {
  readonly collection: CollectionName;
  /** A condition that all wanted rows meet. Rows that are not wanted may meet it too. */
  readonly condition: RowCondition;
}

/** A partition of the primary copy. Plain data. */
export interface ListedPartition {
  readonly collection: CollectionName;
  readonly node: LocationNode;
}

/** Partitions of one release. */
export interface PartitionList {
  /** Partitions that can contain wanted rows, each once, in the order of collections and index. */
  readonly partitions: readonly ListedPartition[];
  /** For each requested collection, a value that changes when another release has different rows. */
  readonly stamps: Readonly<Partial<Record<CollectionName, string>>>;
}
