/**
 * Makes Parquet footers: a smaller one without unused statistics, and one for several concatenated files.
 * @module
 */
import type { FileMetaData, SchemaElement } from "hyparquet";
import {
  type ColumnChunk,
  type ColumnMetaData,
  footerBytesOf,
  type RowGroup,
  readMetadata,
  writeFooter,
} from "../../../data/parquet/index.ts";

/** A file, and its offset in the concatenation. */
interface OffsetFile {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/** Collects the footers of files with one schema. */
interface JointFooter {
  readonly add: (file: OffsetFile) => void;
  /**
   * Returns the bytes after the concatenated files: footer, length and magic. The key-value metadata is that of the
   * first file, with values replaced by those in `changed`. Throws without files.
   */
  readonly write: (changed: Readonly<Record<string, string>>) => Uint8Array;
}

/** Returns an empty joint footer. */
export function createJointFooter(): JointFooter {
  let first: FileMetaData | undefined;
  const rowGroups: RowGroup[] = [];
  return {
    add: ({ bytes, offset }) => {
      const metadata = readMetadata(bytes);
      first ??= metadata;
      for (const group of metadata.row_groups) rowGroups.push(movedGroup(group, BigInt(offset)));
    },
    write: (changed) => {
      if (!first) throw new Error("a joint footer of no files");
      return writeFooter({
        ...first,
        num_rows: rowGroups.reduce((sum, { num_rows }) => sum + num_rows, 0n),
        row_groups: rowGroups,
        key_value_metadata: (first.key_value_metadata ?? []).map(({ key, value }) => ({
          key,
          value: changed[key] ?? value ?? "",
        })),
      });
    },
  };
}

/** Returns a row group whose offsets in the file are `by` bytes higher. */
export function movedGroup(group: RowGroup, by: bigint): RowGroup {
  return {
    ...group,
    ...moved(group, ["file_offset"], by),
    columns: group.columns.map((column) => movedColumn(column, by)),
  };
}

function movedColumn(column: ColumnChunk, by: bigint): ColumnChunk {
  const { meta_data: metadata } = column;
  return {
    ...column,
    ...moved(column, ["file_offset", "offset_index_offset", "column_index_offset"], by),
    ...(metadata ? { meta_data: movedMetaData(metadata, by) } : {}),
  };
}

function movedMetaData(metadata: ColumnMetaData, by: bigint): ColumnMetaData {
  const names = ["data_page_offset", "index_page_offset", "dictionary_page_offset", "bloom_filter_offset"] as const;
  return { ...metadata, ...moved(metadata, names, by) };
}

/** Adds the offset to the fields that are set. */
function moved<Name extends string>(
  offsets: Readonly<Partial<Record<Name, bigint | undefined>>>,
  names: readonly Name[],
  by: bigint,
): Record<Name, bigint> {
  const entries = names.flatMap((name) => {
    const offset = offsets[name];
    return offset === undefined ? [] : [[name, offset + by] as const];
  });
  return Object.fromEntries(entries) as Record<Name, bigint>;
}

/**
 * Returns the Parquet file with a smaller footer: without the duplicate fields `min` and `max` that only old readers
 * use, and without statistics of list columns and geometries, by which no reader skips row groups.
 */
export function withSlimFooter(bytes: Uint8Array): Uint8Array {
  const metadata = readMetadata(bytes);
  const leaves = leavesOf(metadata.schema);
  const slim = ({ meta_data: data, ...column }: ColumnChunk, leaf: number): ColumnChunk => {
    if (!data?.statistics) return { ...column, ...(data ? { meta_data: data } : {}) };
    const { statistics, ...others } = data;
    if (leaves[leaf]?.isInList) return { ...column, meta_data: others };
    const { min: _min, max: _max, ...kept } = statistics;
    const { null_count } = kept;
    const slimmer = leaves[leaf]?.isBytes ? (null_count === undefined ? {} : { null_count }) : kept;
    return { ...column, meta_data: { ...others, statistics: slimmer } };
  };
  const footer = writeFooter({
    ...metadata,
    row_groups: metadata.row_groups.map((group) => ({ ...group, columns: group.columns.map(slim) })),
  });
  return Buffer.concat([bytes.subarray(0, bytes.length - footerBytesOf(bytes)), footer]);
}

interface Leaf {
  /** True if the column or an ancestor is repeated. */
  readonly isInList: boolean;
  /** True if the column has bytes that are not text. */
  readonly isBytes: boolean;
}

/** The leaves of the schema, in order. */
function leavesOf(schema: readonly SchemaElement[]): Leaf[] {
  const leaves: Leaf[] = [];
  let at = 0;
  const walk = (isInList: boolean): void => {
    const element = schema[at++];
    const isRepeated = isInList || element?.repetition_type === "REPEATED";
    const children = element?.num_children ?? 0;
    const { type, converted_type, logical_type } = element ?? {};
    const isBytes = type === "BYTE_ARRAY" && converted_type === undefined && logical_type === undefined;
    if (children === 0) leaves.push({ isInList: isRepeated, isBytes });
    for (let child = 0; child < children; child++) walk(isRepeated);
  };
  walk(false);
  return leaves;
}
