/** Footers of Parquet files: one without what no reader asks for, and one for files that are laid one after the other. @module */
import type { FileMetaData, SchemaElement } from "hyparquet";
import {
  type ColumnChunk,
  type ColumnMetaData,
  footerBytesOf,
  type RowGroup,
  readMetadata,
  writeFooter,
} from "../../data/parquet/index.ts";

/** A file, and its first byte among the others. */
interface PlacedFile {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/** Collects footers of files of one schema, without their bytes. */
interface JointFooter {
  readonly add: (file: PlacedFile) => void;
  /** What stands behind the files: the footer, its length and the magic. Its metadata are the first file's but for these. */
  readonly write: (changed: Readonly<Record<string, string>>) => Uint8Array;
}

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

function movedGroup(group: RowGroup, by: bigint): RowGroup {
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

/** Those of the offsets that are told, so much further on. */
function moved<Name extends string>(
  offsets: Readonly<Partial<Record<Name, bigint | undefined>>>,
  names: readonly Name[],
  by: bigint,
): Record<Name, bigint> {
  const told = names.flatMap((name) => {
    const offset = offsets[name];
    return offset === undefined ? [] : [[name, offset + by] as const];
  });
  return Object.fromEntries(told) as Record<Name, bigint>;
}

/**
 * The file with less in its footer: bounds stand once, not as `min` and `max` too, the names that readers fall back on;
 * what is in lists has none, since no reader skips row groups by them, and those of geometries' bytes tell nothing.
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
  /** Whether it, or what it is in, is repeated. */
  readonly isInList: boolean;
  /** Whether it holds bytes that are no text. */
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
