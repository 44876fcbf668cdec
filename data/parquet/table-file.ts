/**
 * Reads some columns of some row groups of a Parquet file, given its footer and the bytes of column chunks.
 * @module
 */
import type { FileMetaData } from "hyparquet";
import type { TableChunk, TableFile, TableGroup } from "../format/table-reads.ts";
import { fromUtf8 } from "../format/utf8.ts";
import { type ColumnChunk, MAGIC, readMetadata } from "./footer.ts";
import { chunkRange, newFile } from "./new-file.ts";

/**
 * Opens a file of a column table. `footer` has its last bytes, from the footer to the end, and `fileBytes` is its size.
 * Throws if the footer is damaged, or names bytes outside of the file.
 */
export function openTableFile(footer: Uint8Array, fileBytes: number): TableFile {
  const metadata = readMetadata(footer.slice());
  const dataEnd = fileBytes - footer.length;
  let chunks = 0;
  const groups = metadata.row_groups.map((group, index): TableGroup => {
    const own = group.columns.map((column): TableChunk & { readonly column: ColumnChunk } => {
      const [start, end] = chunkRange(column);
      if (!(start >= MAGIC.length && start <= end && end <= dataEnd))
        throw new Error(`a column chunk from byte ${start} to ${end} of ${dataEnd} bytes of data`);
      return { column, index: chunks++, start, end };
    });
    const chosen = (columns: readonly string[]) =>
      own.filter(({ column }) => columns.includes(column.meta_data?.path_in_schema[0] ?? ""));
    return {
      rows: Number(group.num_rows),
      bounds: (name) => boundsOf(own.find(({ column }) => column.meta_data?.path_in_schema.join(".") === name)?.column),
      memoryBytes: (columns) =>
        chosen(columns).reduce((sum, { column }) => sum + Number(column.meta_data?.total_uncompressed_size ?? 0), 0),
      chunks: chosen,
      file: (columns, bytesOf) => fileOf(metadata, { index, columns, chunks: chosen(columns), bytesOf }),
    };
  });
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  if (rows !== Number(metadata.num_rows)) throw new Error(`row groups of ${rows} rows, expected ${metadata.num_rows}`);
  return {
    rows,
    chunks,
    value: (key) => metadata.key_value_metadata?.find((pair) => pair.key === key)?.value,
    groups,
  };
}

interface PartOfGroup {
  readonly index: number;
  readonly columns: readonly string[];
  readonly chunks: readonly TableChunk[];
  readonly bytesOf: (chunk: TableChunk) => Uint8Array;
}

function fileOf(metadata: FileMetaData, { index, columns, chunks, bytesOf }: PartOfGroup): Uint8Array {
  const { spans, footer, byteLength } = newFile(metadata, [index], { columns, gapBytes: 0 });
  const file = new Uint8Array(byteLength);
  file.set(MAGIC);
  for (const chunk of chunks) {
    const span = spans.find(({ start, end }) => chunk.start >= start && chunk.start < end);
    if (span) file.set(bytesOf(chunk), span.at + chunk.start - span.start);
  }
  file.set(footer, byteLength - footer.length);
  return file;
}

function boundsOf(column: ColumnChunk | undefined): { least: string; greatest: string } | undefined {
  const { min_value, max_value } = column?.meta_data?.statistics ?? {};
  if (!(min_value instanceof Uint8Array) || !(max_value instanceof Uint8Array)) return undefined;
  return { least: fromUtf8(min_value), greatest: fromUtf8(max_value) };
}
