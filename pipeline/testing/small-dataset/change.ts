/** Where the making of the small dataset can be changed, so that it is wrong in one way and right in all others. @module */
import type { FileMetaData } from "hyparquet";
import type { CollectionName } from "../../../data/format/collections.ts";
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
import type { Directory, StoredRecord } from "../../../data/format/records.ts";
import type { Table } from "../../../data/format/tables.ts";
import type { SmallRow } from "./features.ts";

/** What is made, in turn. */
export interface Stages {
  /** Rows of a country and size class, cut into slices of the primary copy. */
  readonly cells: readonly (readonly SmallRow[])[];
  /** SQL of the columns of a slice. */
  readonly columns: string;
  /** COPY options of a slice. */
  readonly options: string;
  /** A slice as it is published, not as the joint footer knows it. */
  readonly slice: Uint8Array;
  /** Key-value entries of a slice, and of a pack. */
  readonly entries: Readonly<Record<string, string>>;
  readonly joint: FileMetaData;
  /** Rows of a country as they are told in other runs. */
  readonly rows: readonly SmallRow[];
  readonly points: readonly PointRow[];
  /** Groups of a stretch. */
  readonly groups: readonly (readonly StoredRecord[])[];
  /** A group, compressed. */
  readonly content: Uint8Array;
  readonly directory: Directory;
  /** Blocks of a stretch. */
  readonly blocks: Uint8Array;
  /** Terms of a country, cut into slices. */
  readonly terms: readonly (readonly TermPostings[])[];
  readonly table: Table;
  readonly node: PartitionNode;
  /** Nodes of a page, and of a run in the manifest. */
  readonly nodes: readonly IndexNode[];
  /** Slices of a pack. */
  readonly parts: readonly Uint8Array[];
  readonly dictionary: Uint8Array;
  readonly collection: ManifestCollection;
  readonly manifest: Manifest;
}

export interface At {
  readonly collection?: CollectionName;
  readonly run?: AnyRunName | PackKind;
  readonly country?: string | undefined;
  /** Of a group. */
  readonly stretch?: number;
  /** Among its like. */
  readonly index: number;
}

export type Change = {
  readonly [Stage in keyof Stages]?: (value: Stages[Stage], at: At) => Stages[Stage];
};

/** The value after the change of its stage, if there is one. */
export function changed<Stage extends keyof Stages>(
  change: Change,
  stage: Stage,
  value: Stages[Stage],
  at: At,
): Stages[Stage] {
  return change[stage]?.(value, at) ?? value;
}
