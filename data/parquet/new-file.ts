/**
 * Makes a Parquet file from unchanged row groups or columns of another, with a new footer. @see
 * https://parquet.apache.org/docs/file-format/ @module
 */
import {
  type ColumnChunk,
  type FileMetaData,
  parquetMetadata,
  type RowGroup,
  type SchemaElement,
  type Statistics,
} from "hyparquet";
import { MAGIC, writeFooter } from "./footer.ts";

/** Bytes `start` to `end` (exclusive) of a source file, and the position `at` where they are in the new file. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly at: number;
}

interface NewFile {
  readonly spans: readonly Span[];
  readonly footer: Uint8Array;
  readonly byteLength: number;
}

/** Fetch up to this many unneeded bytes between two chunks rather than send two requests. */
const MOST_GAP_BYTES = 64 * 1024;

interface NewFileOptions {
  /** Names of top-level columns. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** Maximum number of unneeded bytes between two chunks that the new file may have. Default: 64 KiB. */
  readonly gapBytes?: number;
}

/**
 * Plans a Parquet file with some row groups (by index) and columns of another. To make it, write `MAGIC`, then each
 * span at its `at`, then the footer. Throws if the source has none of the columns.
 */
export function newFile(
  metadata: FileMetaData,
  groups: readonly number[],
  { columns, gapBytes = MOST_GAP_BYTES }: NewFileOptions = {},
): NewFile {
  const keeps = (name: string | undefined): boolean => columns === undefined || columns.includes(name ?? "");
  const kept = groups.flatMap((index) => {
    const group = metadata.row_groups[index];
    return group ? [{ ...group, columns: group.columns.filter((column) => keeps(pathOf(column)[0])) }] : [];
  });
  const spans = spansOf(
    kept.flatMap(({ columns: chunks }) => chunks.map(chunkRange)),
    gapBytes,
  );
  if (spans.length === 0 && kept.length > 0) throw new Error(`no column of ${columns?.join(", ")}`);
  const last = spans.at(-1);
  const end = last ? last.at + last.end - last.start : MAGIC.length;
  const { key_value_metadata } = metadata;
  const footer = writeFooter({
    version: metadata.version,
    created_by: "cairn",
    schema: keptSchema(metadata.schema, keeps),
    num_rows: kept.reduce((sum, { num_rows }) => sum + num_rows, 0n),
    row_groups: kept.map((group) => movedGroup(group, spans)),
    ...(key_value_metadata ? { key_value_metadata } : {}),
    metadata_length: 0,
  });
  return { spans, footer, byteLength: end + footer.length };
}

function pathOf({ meta_data }: ColumnChunk): readonly string[] {
  return meta_data?.path_in_schema ?? [];
}

/**
 * Returns the position of a column chunk in its file: first byte, and end (exclusive). Throws if the chunk has no
 * metadata.
 */
export function chunkRange({ meta_data }: ColumnChunk): readonly [start: number, end: number] {
  if (!meta_data) throw new Error("a column chunk without metadata");
  const { dictionary_page_offset: dictionary, data_page_offset: data, total_compressed_size } = meta_data;
  // Some writers use 0 if there is no dictionary.
  const start = Number(dictionary !== undefined && dictionary > 0n && dictionary < data ? dictionary : data);
  return [start, start + Number(total_compressed_size)];
}

function spansOf(ranges: readonly (readonly [start: number, end: number])[], gapBytes: number): Span[] {
  const spans: Span[] = [];
  let at = MAGIC.length;
  let [start, end] = [0, 0];
  const close = (): void => {
    if (end === start) return;
    spans.push({ start, end, at });
    at += end - start;
  };
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    if (end > start && from - end <= gapBytes) end = Math.max(end, to);
    else {
      close();
      [start, end] = [from, to];
    }
  }
  close();
  return spans;
}

/** The schema is a tree in depth-first order. */
function keptSchema(schema: readonly SchemaElement[], keeps: (name: string) => boolean): SchemaElement[] {
  const [root, ...rest] = schema;
  if (!root) throw new Error("a file without a schema");
  const kept: SchemaElement[] = [];
  let children = 0;
  for (let i = 0; i < rest.length; ) {
    const end = endOfElement(rest, i);
    if (keeps((rest[i] as SchemaElement).name)) {
      kept.push(...rest.slice(i, end));
      children++;
    }
    i = end;
  }
  return [{ ...root, num_children: children }, ...kept];
}

function endOfElement(schema: readonly SchemaElement[], start: number): number {
  let end = start + 1;
  for (let child = 0; child < (schema[start]?.num_children ?? 0); child++) end = endOfElement(schema, end);
  return end;
}

function movedGroup(group: RowGroup, spans: readonly Span[]): RowGroup {
  const columns = group.columns.map((column) => movedChunk(column, spans));
  const first = columns[0];
  return {
    columns,
    num_rows: group.num_rows,
    total_byte_size: group.total_byte_size,
    ...(first ? { file_offset: BigInt(chunkRange(first)[0]) } : {}),
  };
}

/** Drops page indexes, Bloom filters, and statistics of non-numbers, which no reader uses. */
function movedChunk(column: ColumnChunk, spans: readonly Span[]): ColumnChunk {
  const [start] = chunkRange(column);
  const span = spans.find((candidate) => start >= candidate.start && start < candidate.end);
  if (!column.meta_data || !span) throw new Error(`no bytes of column ${pathOf(column).join(".")}`);
  const shift = BigInt(span.at - span.start);
  const {
    dictionary_page_offset: dictionary,
    statistics,
    type,
    encodings,
    path_in_schema,
    codec,
    ...sizes
  } = column.meta_data;
  const numbers = numericStatistics(statistics);
  return {
    file_offset: 0n,
    meta_data: {
      type,
      encodings,
      path_in_schema,
      codec,
      num_values: sizes.num_values,
      total_uncompressed_size: sizes.total_uncompressed_size,
      total_compressed_size: sizes.total_compressed_size,
      data_page_offset: sizes.data_page_offset + shift,
      ...(dictionary !== undefined && dictionary > 0n ? { dictionary_page_offset: dictionary + shift } : {}),
      ...(numbers ? { statistics: numbers } : {}),
    },
  };
}

function numericStatistics(statistics: Statistics | undefined): Statistics | undefined {
  const { min_value, max_value } = statistics ?? {};
  return typeof min_value === "number" && typeof max_value === "number" ? { min_value, max_value } : undefined;
}

/** Bytes of a request: an interrupted request loses little, and latency is a small part. */
const PIECE_BYTES = 4 * 2 ** 20;

/** Cuts spans into pieces of at most 4 MiB, one request each. */
export function piecesOf(spans: readonly Span[]): Span[] {
  return spans.flatMap(({ start, end, at }) => {
    const pieces: Span[] = [];
    for (let from = start; from < end; from += PIECE_BYTES)
      pieces.push({ start: from, end: Math.min(end, from + PIECE_BYTES), at: at + from - start });
    return pieces;
  });
}

/**
 * Yields each row group of a Parquet file in memory as its own Parquet file, so that decoding needs memory for one
 * only.
 */
export function* eachGroup(file: Uint8Array): Generator<Uint8Array> {
  const buffer = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;
  const metadata = parquetMetadata(buffer, { geoparquet: false });
  for (const index of metadata.row_groups.keys()) {
    const { spans, footer, byteLength } = newFile(metadata, [index]);
    const group = new Uint8Array(byteLength);
    group.set(MAGIC);
    for (const { start, end, at } of spans) group.set(file.subarray(start, end), at);
    group.set(footer, byteLength - footer.length);
    yield group;
  }
}
