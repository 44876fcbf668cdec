/**
 * Divides records into groups that fit into blocks, and compresses them.
 * @module
 */
import { deflateRawSync } from "node:zlib";
import { BLOCK_BYTES, BLOCK_HEADER_BYTES, blocksFor } from "../../../data/format/blocks.ts";
import {
  type GroupSize,
  MAX_DICTIONARY_BYTES,
  MAX_GROUP_ROWS,
  type StoredRecord,
  withoutUuids,
  writeGroup,
} from "../../../data/format/records.ts";

/** Level 9 takes 50 % longer and saves 1 %. */
const LEVEL = 6;

const CONTENT_BYTES = BLOCK_BYTES - BLOCK_HEADER_BYTES;

/** Compression ratio to assume for the first group. */
const FIRST_RATIO = 0.2;

/** Lengths of a record's parts. */
const LENGTHS_BYTES = 3;

/** A group, with its compressed content for `sealBlock`. */
export interface FittedGroup extends GroupSize {
  readonly content: Uint8Array;
}

const NO_TEXT = new Uint8Array();

/** Returns the content of the group for one part of a long geometry: a record without text. */
export function fitPart(geometry: Uint8Array, dictionary: Uint8Array): Uint8Array {
  return writeGroup([{ json: NO_TEXT, geometry }], (bytes) => deflateRawSync(bytes, { level: LEVEL, dictionary }));
}

/**
 * Yields the records in consecutive groups, each with as many rows as fit one block, or with one row that needs several
 * blocks.
 */
export function* fitGroups(records: readonly StoredRecord[], dictionary: Uint8Array): Generator<FittedGroup> {
  let ratio = FIRST_RATIO;

  const compress = (start: number, rows: number): FittedGroup => {
    const group = records.slice(start, start + rows);
    const content = writeGroup(group, (bytes) => deflateRawSync(bytes, { level: LEVEL, dictionary }));
    ratio = content.length / group.reduce((sum, record) => sum + bytesOf(record), 0);
    return { rows, blocks: blocksFor(content.length), content };
  };

  const fitFrom = (start: number): FittedGroup => {
    let most = Math.min(MAX_GROUP_ROWS, records.length - start);
    let fitting: FittedGroup | undefined;
    let rows = Math.max(1, Math.min(most, rowsWithin(records, start, CONTENT_BYTES / ratio)));
    while (rows > (fitting?.rows ?? 0) && rows <= most) {
      const group = compress(start, rows);
      if (group.blocks === 1) {
        fitting = group;
        rows += rowsWithin(records, start + rows, (CONTENT_BYTES - group.content.length) / ratio);
        rows = Math.min(rows, most);
      } else {
        if (rows === 1) return group;
        most = rows - 1;
        rows = Math.max((fitting?.rows ?? 0) + 1, Math.min(most, rowsWithin(records, start, CONTENT_BYTES / ratio)));
      }
    }
    return fitting ?? compress(start, 1);
  };

  for (let start = 0; start < records.length; ) {
    const group = fitFrom(start);
    yield group;
    start += group.rows;
  }
}

/** The number of rows from `start` with at most `bytes` bytes. */
function rowsWithin(records: readonly StoredRecord[], start: number, bytes: number): number {
  let [rows, left] = [0, bytes];
  while (rows < MAX_GROUP_ROWS) {
    const record = records[start + rows];
    if (!record) break;
    left -= bytesOf(record);
    if (left < 0) break;
    rows++;
  }
  return rows;
}

function bytesOf({ json, geometry }: StoredRecord): number {
  return json.length + geometry.length + LENGTHS_BYTES;
}

/** Per record: the rest of a long record is of little use for others. */
const MOST_OF_A_RECORD = 1024;

/**
 * Returns the compression dictionary of a collection: up to 1,024 bytes from the start of each JSON text without UUIDs,
 * at most 8 KiB in total.
 */
export function makeDictionary(texts: Iterable<Uint8Array>): Uint8Array {
  const parts: Uint8Array[] = [];
  let left = MAX_DICTIONARY_BYTES;
  for (const text of texts) {
    const part = withoutUuids(text).subarray(0, Math.min(left, MOST_OF_A_RECORD));
    parts.push(part);
    left -= part.length;
    if (left === 0) break;
  }
  return Buffer.concat(parts);
}
