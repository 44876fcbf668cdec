/** Hooks that change the small dataset while it is made, so that it is wrong in exactly one way. @module */
import type { FileMetaData } from "hyparquet";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { IdEntry } from "../../../data/format/id-order.ts";
import type {
  AnyRunName,
  IndexNode,
  Manifest,
  ManifestCollection,
  PartitionNode,
} from "../../../data/format/manifest.ts";
import type { PackKind } from "../../../data/format/paths.ts";
import type { PointRow } from "../../../data/format/points.ts";
import type { TermPostings } from "../../../data/format/postings.ts";
import type { GroupSize, StoredRecord } from "../../../data/format/records.ts";
import type { Table } from "../../../data/format/tables.ts";
import type { SmallRow } from "./features.ts";

/** Values that can be changed, in the order of creation. */
export interface Stages {
  /** Rows of a country and size class, cut into primary slices. */
  readonly cells: readonly (readonly SmallRow[])[];
  /** SQL of the columns of a slice. */
  readonly columns: string;
  /** COPY options of a slice. */
  readonly options: string;
  /** A published slice. The joint footer describes the unchanged one. */
  readonly slice: Uint8Array;
  /** Key-value entries of a slice or a pack. */
  readonly entries: Readonly<Record<string, string>>;
  readonly joint: FileMetaData;
  /** Rows of a country for other runs. */
  readonly rows: readonly SmallRow[];
  readonly points: readonly PointRow[];
  /** Groups of a primary slice. */
  readonly groups: readonly (readonly StoredRecord[])[];
  /** A compressed group. */
  readonly content: Uint8Array;
  /** Sizes of the groups of a slice, in its points. */
  readonly sizes: readonly GroupSize[];
  /** Blocks of a chunk. */
  readonly blocks: Uint8Array;
  /** Entries of a segment. */
  readonly ids: readonly IdEntry[];
  /** Blocks and directory of a segment. */
  readonly segment: Uint8Array;
  /** Terms of a country, cut into slices. */
  readonly terms: readonly (readonly TermPostings[])[];
  readonly table: Table;
  /** A slice of counts per cell. */
  readonly counts: Uint8Array;
  readonly node: PartitionNode;
  /** Nodes of a page, or of a run in the manifest. */
  readonly nodes: readonly IndexNode[];
  /** Slices of a pack. */
  readonly parts: readonly Uint8Array[];
  readonly dictionary: Uint8Array;
  readonly collection: ManifestCollection;
  readonly manifest: Omit<Manifest, "sha256">;
}

export interface At {
  readonly collection?: CollectionName;
  readonly run?: AnyRunName | PackKind;
  readonly country?: string | undefined;
  /** Chunk of a group. */
  readonly chunk?: number;
  /** Index among values of its kind. */
  readonly index: number;
}

export type Change = {
  readonly [Stage in keyof Stages]?: (value: Stages[Stage], at: At) => Stages[Stage];
};

/** Returns the value after the change for its stage, if there is one. */
export function changed<Stage extends keyof Stages>(
  change: Change,
  stage: Stage,
  value: Stages[Stage],
  at: At,
): Stages[Stage] {
  return change[stage]?.(value, at) ?? value;
}
