/**
 * Which files and row groups of a column table can have the rows that a search wants, and in which ranges their column
 * chunks are read.
 * @module
 */
import { bytesOfBase64 } from "./bytes.ts";
import { TABLE_CHECK_BYTES, tableTerm } from "./column-tables.ts";
import { compareIds } from "./ids.ts";
import { type IndexNode, isPage } from "./manifest.ts";

/** The rows of a table that a search wants. */
export interface WantedTableRows {
  readonly values: readonly string[];
  /** Undefined for all countries. */
  readonly countries: readonly string[] | undefined;
}

/** The lowest and the highest text of a column. */
interface TextBounds {
  readonly least: string;
  readonly greatest: string;
}

/** Higher than every country. */
const AFTER_COUNTRIES = "\u{10FFFF}";

/**
 * Returns false if no wanted row can be in the file of the node, or in a file below the page. The node is one of the
 * run `table`.
 */
export function mayHoldWanted(node: IndexNode, { values, countries }: WantedTableRows): boolean {
  const first = isPage(node) ? node.first?.[1] : "first_term" in node ? node.first_term : undefined;
  const last = isPage(node) ? node.last?.[1] : "last_term" in node ? node.last_term : undefined;
  if (first === undefined || last === undefined) return true;
  const isBetween = (from: string, to: string): boolean => compareIds(from, last) <= 0 && compareIds(to, first) >= 0;
  return values.some((value) =>
    countries
      ? countries.some((code) => isBetween(tableTerm(value, code), tableTerm(value, code)))
      : isBetween(tableTerm(value, ""), tableTerm(value, AFTER_COUNTRIES)),
  );
}

/**
 * Returns whether one of the texts is from `least` to `greatest`, by UTF-8 bytes. True if bounds or texts are
 * undefined.
 */
export function isWithin(bounds: TextBounds | undefined, texts: readonly string[] | undefined): boolean {
  if (!bounds || !texts) return true;
  return texts.some((text) => compareIds(bounds.least, text) <= 0 && compareIds(text, bounds.greatest) <= 0);
}

/** A column chunk of a Parquet file: its bytes from `start` to `end` (exclusive). */
export interface TableChunk {
  /** Number among all chunks of the file, from 0. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** A row group of a column table's file. */
export interface TableGroup {
  readonly rows: number;
  /** Returns the lowest and the highest text of a column, if the footer has them. */
  readonly bounds: (column: string) => TextBounds | undefined;
  /** Returns the uncompressed size of these columns in bytes. */
  readonly memoryBytes: (columns: readonly string[]) => number;
  /** Returns the chunks of these columns. */
  readonly chunks: (columns: readonly string[]) => readonly TableChunk[];
  /** Returns a Parquet file with these columns of the group. `bytesOf` returns the bytes of a chunk. */
  readonly file: (columns: readonly string[], bytesOf: (chunk: TableChunk) => Uint8Array) => Uint8Array;
}

/** A file of a column table. */
export interface TableFile {
  readonly rows: number;
  /** Number of the column chunks of all row groups. */
  readonly chunks: number;
  /** Returns the value of a key in the key-value metadata of the file. */
  readonly value: (key: string) => string | undefined;
  readonly groups: readonly TableGroup[];
}

/** Bytes of a file, half-open. */
interface ChunkRange {
  readonly start: number;
  readonly end: number;
}

interface JoinedChunks<Chunk> extends ChunkRange {
  readonly chunks: readonly Chunk[];
}

/** Share of unwanted bytes that a reader may read to save requests. */
const GAP_SHARE = 0.2;
/** Bytes of gaps that may always be read to save requests: about the cost of three. */
const FREE_GAP_BYTES = 64 * 1024;
/** A longer range is read in parts, so that its rows are written meanwhile. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Joins column chunks into ranges of one request each, sorted by position. Gaps are read too, the smallest first: in
 * total at most 64 KiB, or a fifth of the wanted bytes if that is more. A range of several chunks has at most 4 MiB.
 */
export function joinChunks<Chunk extends ChunkRange>(chunks: readonly Chunk[]): JoinedChunks<Chunk>[] {
  const sorted = [...chunks].sort((a, b) => a.start - b.start);
  const wanted = sorted.reduce((sum, { start, end }) => sum + end - start, 0);
  const gaps = sorted
    .slice(1)
    .map(({ start }, index) => ({ index: index + 1, bytes: start - (sorted[index]?.end ?? 0) }));
  let left = Math.max(FREE_GAP_BYTES, wanted * GAP_SHARE);
  const joined = new Set<number>();
  for (const { index, bytes } of gaps.sort((a, b) => a.bytes - b.bytes || a.index - b.index)) {
    if (bytes > left) break;
    left -= bytes;
    joined.add(index);
  }
  const ranges: { start: number; end: number; chunks: Chunk[] }[] = [];
  for (const [index, chunk] of sorted.entries()) {
    const last = ranges.at(-1);
    if (last && joined.has(index) && chunk.end - last.start <= MOST_BYTES) {
      last.end = chunk.end;
      last.chunks.push(chunk);
    } else ranges.push({ start: chunk.start, end: chunk.end, chunks: [chunk] });
  }
  return ranges;
}

/**
 * Returns the check (start of the SHA-256) of each column chunk, given all of them in base64. Throws if the text is not
 * base64, or has another number of checks than `chunks`.
 */
export function readChecks(text: string, chunks: number): Uint8Array[] {
  const bytes = bytesOfBase64(text);
  if (bytes.length !== chunks * TABLE_CHECK_BYTES)
    throw new Error(
      `checks of ${bytes.length} bytes, expected ${TABLE_CHECK_BYTES} for each of ${chunks} column chunks`,
    );
  return Array.from({ length: chunks }, (_, index) =>
    bytes.subarray(index * TABLE_CHECK_BYTES, (index + 1) * TABLE_CHECK_BYTES),
  );
}
