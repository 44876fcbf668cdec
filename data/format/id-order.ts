/**
 * The run `ids`: the rows of a collection in the order of (country, id). A row's number is its position in this order,
 * with gaps. The run maps numbers to the addresses of records. It also has prefixes of the ids, by which readers merge
 * lists.
 *
 * A segment (a slice of this run) has up to 256 blocks of one country. A block has the entries of 250 rows; the last
 * block of a segment may have fewer. A directory with the first id of each block follows the blocks. A segment of one
 * block has no directory and no zeros after its entries, because most countries of a small collection have one.
 * @module
 */
import { openBlock, openTail, sealBlock, sealLast, sealTail } from "./blocks.ts";
import { frontCoder, frontDecoder } from "./front-coding.ts";
import { type Deflate, inflate } from "./inflate.ts";
import { toUtf8 } from "./utf8.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

/** Rows of a block. The last block of a segment may have fewer. */
export const ID_BLOCK_ROWS = 250;

/** Maximum blocks of a segment. */
export const SEGMENT_BLOCKS = 256;

/** Maximum rows of a segment. */
export const MAX_SEGMENT_ROWS = ID_BLOCK_ROWS * SEGMENT_BLOCKS;

/** Numbers of a block. It has fewer rows, so some numbers have no row. */
const BLOCK_NUMBERS = 256;

/** Bytes of an entry: the record's address, then a prefix of the id. */
const ADDRESS_BYTES = 5;
const KEY_BYTES = 3;

/** Maximum bytes of the prefix that all ids of a block share. The rest is not stored. */
const MAX_PREFIX_BYTES = 32;

/** Maximum size of a directory, inflated. */
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024;

/** Position of a row in the order of (country, id). */
interface RowPosition {
  /** Number of the segment, over all countries of the collection. */
  readonly segment: number;
  readonly block: number;
  /** Index among the rows of the block. */
  readonly row: number;
}

/** Returns the number of the row at this position. Numbers have the order of (country, id), with gaps. */
export function rowNumberOf({ segment, block, row }: RowPosition): number {
  return (segment * SEGMENT_BLOCKS + block) * BLOCK_NUMBERS + row;
}

/** Returns segment, block and row of a row number. */
export function rowPositionOf(rowNumber: number): RowPosition {
  const blocks = Math.floor(rowNumber / BLOCK_NUMBERS);
  return {
    segment: Math.floor(blocks / SEGMENT_BLOCKS),
    block: blocks % SEGMENT_BLOCKS,
    row: rowNumber % BLOCK_NUMBERS,
  };
}

/** Returns the number of the first row of the segment. */
export function firstNumberOf(segment: number): number {
  return rowNumberOf({ segment, block: 0, row: 0 });
}

/** Returns the number of the row that is at `index` among the rows of a segment, counted from 0. */
export function numberInSegment(segment: number, index: number): number {
  return rowNumberOf({ segment, block: Math.floor(index / ID_BLOCK_ROWS), row: index % ID_BLOCK_ROWS });
}

/** A row for `writeSegment`. */
export interface IdEntry {
  readonly id: string;
  /** Address of the row's record, counted from the first of the country. */
  readonly address: number;
}

/** The entries of a block in memory. `row` is the index of a row in the block, from 0. */
export interface IdBlock {
  readonly rows: number;
  /** Address of the row's record, counted from the first of the country. */
  address(row: number): number;
  /**
   * The first bytes of the row's id: what all ids of the block share, and three more bytes. Zeros follow a shorter id.
   */
  key(row: number): Uint8Array;
}

/**
 * Returns the bytes of a segment (its blocks, and after several of them the directory) and the number of its blocks.
 * Throws unless there are 1 to `MAX_SEGMENT_ROWS` entries, or if an address is 256^5 or more.
 *
 * @param entries in the order of ids
 */
export async function writeSegment(
  entries: readonly IdEntry[],
  deflate: Deflate,
): Promise<{ readonly bytes: Uint8Array; readonly blocks: number }> {
  if (entries.length === 0 || entries.length > MAX_SEGMENT_ROWS)
    throw new Error(`a segment has ${entries.length} rows, expected 1 to ${MAX_SEGMENT_ROWS}`);
  if (entries.length <= ID_BLOCK_ROWS) return { bytes: await sealLast(writeEntries(entries), 0), blocks: 1 };
  const parts: Uint8Array[] = [];
  const [directory, out] = [new ByteWriter(), new ByteWriter()];
  const writeId = frontCoder(directory);
  for (let start = 0; start < entries.length; start += ID_BLOCK_ROWS) {
    const rows = entries.slice(start, start + ID_BLOCK_ROWS);
    writeId(rows[0]?.id ?? "");
    parts.push(await sealBlock(writeEntries(rows), parts.length));
  }
  const blocks = parts.length;
  out.varint(blocks);
  out.varint(entries.length);
  out.raw(directory.bytes());
  parts.push(await sealTail(deflate(out.bytes())));
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return { bytes, blocks };
}

function writeEntries(entries: readonly IdEntry[]): Uint8Array {
  const ids = entries.map(({ id }) => toUtf8(id));
  const prefix = sharedPrefix(ids);
  const bytes = new Uint8Array(2 + prefix.length + entries.length * (ADDRESS_BYTES + KEY_BYTES));
  bytes[0] = entries.length;
  bytes[1] = prefix.length;
  bytes.set(prefix, 2);
  const keys = 2 + prefix.length + ADDRESS_BYTES * entries.length;
  for (const [row, { address }] of entries.entries()) {
    if (!Number.isSafeInteger(address) || address < 0 || address >= 256 ** ADDRESS_BYTES)
      throw new Error(`a record has address ${address}, expected less than ${256 ** ADDRESS_BYTES}`);
    let rest = address;
    for (let byte = ADDRESS_BYTES - 1; byte >= 0; byte--) {
      bytes[2 + prefix.length + row * ADDRESS_BYTES + byte] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    bytes.set(ids[row]?.subarray(prefix.length, prefix.length + KEY_BYTES) ?? [], keys + row * KEY_BYTES);
  }
  return bytes;
}

/** The ids are sorted, so the first and the last one share what all share. */
function sharedPrefix(ids: readonly Uint8Array[]): Uint8Array {
  const [first, last] = [ids[0] ?? new Uint8Array(), ids.at(-1) ?? new Uint8Array()];
  let shared = 0;
  while (shared < MAX_PREFIX_BYTES && shared < first.length && first[shared] === last[shared]) shared++;
  return first.subarray(0, shared);
}

/**
 * Reads a block of a segment. `block` is its number in the segment. Throws if the block is damaged or has another
 * number.
 */
export async function openIdBlock(bytes: Uint8Array, block: number): Promise<IdBlock> {
  const content = await openBlock(bytes, block);
  const [rows = 0, prefixBytes = 0] = content;
  const addresses = 2 + prefixBytes;
  const keys = addresses + rows * ADDRESS_BYTES;
  if (rows === 0 || rows > ID_BLOCK_ROWS || content.length !== keys + rows * KEY_BYTES)
    throw new Error(`block ${block} has ${content.length} bytes for ${rows} rows`);
  return {
    rows,
    address(row) {
      let address = 0;
      for (let byte = 0; byte < ADDRESS_BYTES; byte++)
        address = address * 256 + (content[addresses + row * ADDRESS_BYTES + byte] ?? 0);
      return address;
    },
    key(row) {
      const key = new Uint8Array(prefixBytes + KEY_BYTES);
      key.set(content.subarray(2, addresses));
      key.set(content.subarray(keys + row * KEY_BYTES, keys + (row + 1) * KEY_BYTES), prefixBytes);
      return key;
    },
  };
}

/** The directory of a segment: which ids are in which block. */
export interface SegmentDirectory {
  /** Rows of the segment. Each block has `ID_BLOCK_ROWS`, except the last. */
  readonly rows: number;
  /** Id of the first row of each block. */
  readonly ids: readonly string[];
}

/** Reads the directory of a segment from the bytes after its blocks. Throws if it is damaged. */
export async function readSegmentDirectory(bytes: Uint8Array): Promise<SegmentDirectory> {
  const reader = new ByteReader(inflate(await openTail(bytes), { maxBytes: MAX_DIRECTORY_BYTES }));
  const blocks = reader.varint();
  const rows = reader.varint();
  if (Math.ceil(rows / ID_BLOCK_ROWS) !== blocks || blocks > SEGMENT_BLOCKS)
    throw new Error(`a directory has ${rows} rows in ${blocks} blocks`);
  const readId = frontDecoder(reader);
  return { rows, ids: Array.from({ length: blocks }, () => readId()) };
}
