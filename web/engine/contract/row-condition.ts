/**
 * What is known of wanted rows by the columns that the index knows too: box and country.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { LocationNode } from "../../../data/format/manifest.ts";

export const BOX_MEMBERS = ["xmin", "xmax", "ymin", "ymax"] as const;
export type BoxMember = (typeof BOX_MEMBERS)[number];

export const COMPARISONS = ["=", "!=", "<", "<=", ">", ">="] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Plain data. `all` of nothing holds of every row, `any` of nothing of none. */
export type RowCondition =
  | { readonly kind: "all"; readonly of: readonly RowCondition[] }
  | { readonly kind: "any"; readonly of: readonly RowCondition[] }
  | { readonly kind: "box"; readonly member: BoxMember; readonly comparison: Comparison; readonly value: number }
  /** The row's box crosses the antimeridian: its west is greater than its east. */
  | { readonly kind: "crossing" }
  | { readonly kind: "country"; readonly comparison: Comparison; readonly value: string };

export const EVERY_ROW: RowCondition = { kind: "all", of: [] };

/** Rows of a collection. */
export interface WantedRows {
  readonly collection: CollectionName;
  /** Holds of every row that is wanted; others may come with them. */
  readonly condition: RowCondition;
}

/** A partition of the primary copy. Plain data. */
export interface ListedPartition {
  readonly collection: CollectionName;
  readonly node: LocationNode;
}

/** Partitions of one release. */
export interface PartitionList {
  /** Those that can hold wanted rows, each once, in the order of the collections and of the index. */
  readonly partitions: readonly ListedPartition[];
  /** Of each collection that was asked for, what changes when another release has other rows. */
  readonly stamps: Readonly<Partial<Record<CollectionName, string>>>;
}
