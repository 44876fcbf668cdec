/** A footer for Parquet files that are laid one after the other: together they are one file. @module */
import type { FileMetaData } from "hyparquet";
import {
  type ColumnChunk,
  type ColumnMetaData,
  type RowGroup,
  readMetadata,
  writeFooter,
} from "../../data/parquet/index.ts";

/** A file, and its first byte among the others. */
export interface PlacedFile {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/** Collects footers of files of one schema, without their bytes. */
export interface JointFooter {
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
