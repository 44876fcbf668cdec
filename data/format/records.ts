/**
 * Records: the rows of a collection in the order of (country, id), as JSON and TWKB, in blocks of a fixed size, so that
 * a row's number is its address and one row costs one small range of bytes.
 *
 * A segment has up to 512 blocks of one country, followed by a directory of the blocks. A group is compressed
 * together:
 * as many rows as fit one block, or one row that needs several. Each group, and the directory, starts with its own
 * checksum, because it is read alone.
 * @module
 */
import { frontCoder, frontDecoder } from "./front-coding.ts";
import { type Deflate, inflate } from "./inflate.ts";
import { sha256Of } from "./sha256.ts";
import { UUID_BYTES, UuidReader, UuidWriter } from "./uuids.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

/** Size of a block. */
export const BLOCK_BYTES = 2048;

/** Blocks of a segment. A row that needs more has its own segment. */
export const STRETCH_BLOCKS = 512;

/** Bits of a row's number for its index in the block. */
const PLACE_BITS = 7;

/** Maximum rows of a group. */
export const MAX_GROUP_ROWS = 1 << PLACE_BITS;

/** Maximum size of the records in a group, uncompressed. */
export const MAX_GROUP_BYTES = 128 * 1024 * 1024;

/**
 * Maximum size of a dictionary, inflated. A larger one would save more bytes of records, but each visitor downloads
 * it.
 */
export const MAX_DICTIONARY_BYTES = 8 * 1024;

/** Header of a group: its checksum and the length of its content. */
export const GROUP_HEADER_BYTES = 12;
const CHECK_BYTES = 8;

/** Position of a row in the records of its collection. */
export interface RowAddress {
  /** Number of the segment, over all countries of the collection. */
  readonly stretch: number;
  /** Block in the segment. */
  readonly block: number;
  /** Index among the rows of the group that starts with the block. */
  readonly place: number;
}

/** Returns the row's number. Numbers are in the order of (country, id), with gaps. */
export function rowNumberOf({ stretch, block, place }: RowAddress): number {
  return (stretch * STRETCH_BLOCKS + block) * MAX_GROUP_ROWS + place;
}

/** Returns the position of the row with this number. */
export function addressOf(rowNumber: number): RowAddress {
  const blocks = Math.floor(rowNumber / MAX_GROUP_ROWS);
  return {
    stretch: Math.floor(blocks / STRETCH_BLOCKS),
    block: blocks % STRETCH_BLOCKS,
    place: rowNumber % MAX_GROUP_ROWS,
  };
}

/** Returns the first number of a segment. */
export function firstNumberOf(stretch: number): number {
  return rowNumberOf({ stretch, block: 0, place: 0 });
}

/** A stored row. */
export interface StoredRecord {
  /**
   * Its columns without `geometry` and `bbox`, as the text of a JSON object with `id`. Null members may be left out.
   */
  readonly json: Uint8Array;
  /** TWKB if it represents every coordinate exactly, otherwise WKB. */
  readonly geometry: Uint8Array;
}

/** Reads a dictionary. Throws if it is damaged. */
export function readDictionary(slice: Uint8Array): Uint8Array {
  return inflate(slice, { maxBytes: MAX_DICTIONARY_BYTES });
}

/**
 * Writes the content of a group: the number of UUIDs, the UUIDs, and the other data compressed. Throws if it is too
 * large.
 */
export function writeGroup(records: readonly StoredRecord[], deflate: Deflate, dictionary?: Uint8Array): Uint8Array {
  const bytes = records.reduce((sum, { json, geometry }) => sum + json.length + geometry.length, 0);
  if (bytes > MAX_GROUP_BYTES) throw new Error(`a record has ${bytes} bytes, expected at most ${MAX_GROUP_BYTES}`);
  const [uuids, references, out] = [new ByteWriter(), new ByteWriter(), new ByteWriter()];
  const writer = new UuidWriter(uuids, references);
  const texts = records.map(({ json }) => writer.shorten(json));
  out.varint(records.length);
  for (const [place, { geometry }] of records.entries()) {
    out.varint(texts[place]?.length ?? 0);
    out.varint(geometry.length);
  }
  for (const text of texts) out.raw(text);
  out.raw(references.bytes());
  for (const { geometry } of records) out.raw(geometry);
  const content = new ByteWriter();
  content.varint(uuids.length / UUID_BYTES);
  content.raw(uuids.bytes());
  content.raw(deflate(out.bytes(), dictionary));
  return content.bytes();
}

/** Returns a record's JSON without its UUIDs, as it is compressed. Dictionaries are made from it. */
export function withoutUuids(json: Uint8Array): Uint8Array {
  return new UuidWriter(new ByteWriter(), new ByteWriter()).shorten(json);
}

/** Returns a group as stored from a block on: header, content, zeros up to the end of a block. */
export async function sealGroup(content: Uint8Array, block: number): Promise<Uint8Array> {
  const blocks = blocksFor(content.length);
  const group = new Uint8Array(blocks * BLOCK_BYTES);
  new DataView(group.buffer).setUint32(CHECK_BYTES, content.length, true);
  group.set(content, GROUP_HEADER_BYTES);
  group.set(await checkOf(group, block));
  return group;
}

/** Returns the number of blocks for content of this size. */
export function blocksFor(contentBytes: number): number {
  return Math.ceil((GROUP_HEADER_BYTES + contentBytes) / BLOCK_BYTES);
}

/** Returns the length of a group in bytes, from its first block. */
export function groupBytesOf(firstBlock: Uint8Array): number {
  const header = new DataView(firstBlock.buffer, firstBlock.byteOffset, firstBlock.byteLength);
  return blocksFor(header.getUint32(CHECK_BYTES, true)) * BLOCK_BYTES;
}

/** Reads the rows of a group. Throws if the checksum does not match the bytes and the block. */
export async function openGroup(
  group: Uint8Array,
  block: number,
  dictionary: Uint8Array,
): Promise<readonly StoredRecord[]> {
  const content = new ByteReader(await checked(group, block));
  const uuids = content.raw(UUID_BYTES * content.varint());
  const reader = new ByteReader(inflate(content.raw(content.left), { dictionary, maxBytes: MAX_GROUP_BYTES }));
  const count = reader.varint();
  if (count > MAX_GROUP_ROWS) throw new Error(`a group has ${count} rows, expected at most ${MAX_GROUP_ROWS}`);
  const lengths = Array.from({ length: count }, () => [reader.varint(), reader.varint()] as const);
  const texts = lengths.map(([length]) => reader.raw(length));
  const uuidReader = new UuidReader(uuids, reader, MAX_GROUP_BYTES);
  const json = texts.map((text) => uuidReader.lengthen(text));
  return lengths.map(([, length], place) => ({ json: json[place] as Uint8Array, geometry: reader.raw(length) }));
}

/** Returns the content after the header of a group or directory. Throws if the checksum does not match the block. */
async function checked(group: Uint8Array, block: number): Promise<Uint8Array> {
  const check = await checkOf(group, block);
  if (check.some((byte, index) => byte !== group[index])) throw new Error(`block ${block} does not hold its check`);
  const length = new DataView(group.buffer, group.byteOffset, group.byteLength).getUint32(CHECK_BYTES, true);
  return group.subarray(GROUP_HEADER_BYTES, GROUP_HEADER_BYTES + length);
}

/** A prefix of the SHA-256 of the block's number and the bytes after the checksum. */
async function checkOf(group: Uint8Array, block: number): Promise<Uint8Array> {
  const told = new Uint8Array(4 + group.length - CHECK_BYTES);
  new DataView(told.buffer).setUint32(0, block, true);
  told.set(group.subarray(CHECK_BYTES), 4);
  const sha256 = await sha256Of(told);
  return Uint8Array.from({ length: CHECK_BYTES }, (_, i) => Number.parseInt(sha256.slice(2 * i, 2 * i + 2), 16));
}

/** Content of the groups of a segment, in order. */
export interface Directory {
  /** First block of each group. */
  readonly blocks: readonly number[];
  /** Rows of each group. */
  readonly rows: readonly number[];
  /** Id of the first row of each group. */
  readonly ids: readonly string[];
}

/** Writes the directory that follows the blocks, its checksum first. */
export async function writeDirectory({ blocks, rows, ids }: Directory, deflate: Deflate): Promise<Uint8Array> {
  const out = new ByteWriter();
  out.varint(blocks.length);
  const writeId = frontCoder(out);
  let block = 0;
  for (const [group, id] of ids.entries()) {
    const first = blocks[group] ?? 0;
    out.varint(first - block);
    block = first;
    out.varint(rows[group] ?? 0);
    writeId(id);
  }
  const compressed = deflate(out.bytes());
  const whole = new Uint8Array(GROUP_HEADER_BYTES + compressed.length);
  new DataView(whole.buffer).setUint32(CHECK_BYTES, compressed.length, true);
  whole.set(compressed, GROUP_HEADER_BYTES);
  whole.set(await checkOf(whole, DIRECTORY_BLOCK));
  return whole;
}

/** Block number in the directory's checksum. No block has it. */
const DIRECTORY_BLOCK = 0xffffffff;

/** Reads a directory. Throws if its checksum does not match. */
export async function readDirectory(bytes: Uint8Array): Promise<Directory> {
  const compressed = await checked(bytes, DIRECTORY_BLOCK);
  const reader = new ByteReader(inflate(compressed, { maxBytes: MAX_GROUP_BYTES }));
  const count = reader.varint();
  const [blocks, rows, ids]: [number[], number[], string[]] = [[], [], []];
  const readId = frontDecoder(reader);
  let block = 0;
  for (let group = 0; group < count; group++) {
    block += reader.varint();
    blocks.push(block);
    rows.push(reader.varint());
    ids.push(readId());
  }
  return { blocks, rows, ids };
}
