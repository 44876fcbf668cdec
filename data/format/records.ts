/**
 * Records: the rows of a collection in the order of the primary copy, as JSON and TWKB, in blocks of a fixed size.
 * Neighbours are in the same or in adjacent blocks, so a search by location reads few ranges.
 *
 * A chunk has the records of consecutive slices of the primary copy of one country. A group is compressed together:
 * as many rows of one slice as fit one block, or one row that needs several. Each group starts with its own checksum,
 * because it is read alone.
 * @module
 */
import { openBlock } from "./blocks.ts";
import { type Deflate, inflate } from "./inflate.ts";
import { UUID_BYTES, UuidReader, UuidWriter } from "./uuids.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

/** Maximum blocks of a chunk. A group with more blocks has its own chunk. */
export const CHUNK_BLOCKS = 4096;

/** Bits of an address for the row's index in its group. */
const INDEX_BITS = 7;

/** Maximum rows of a group. */
export const MAX_GROUP_ROWS = 1 << INDEX_BITS;

/** Maximum size of the records in a group, uncompressed. */
const MAX_GROUP_BYTES = 128 * 1024 * 1024;

/**
 * Maximum size of a collection's compression dictionary, inflated. A larger one would save more bytes of records, but
 * each visitor downloads it.
 */
export const MAX_DICTIONARY_BYTES = 8 * 1024;

/** Where the record of a row is in its collection. */
export interface RecordPosition {
  /** Number of the chunk, over all countries of the collection. */
  readonly chunk: number;
  /** First block of the row's group in the chunk. */
  readonly block: number;
  /** Index among the rows of the group. */
  readonly row: number;
}

/** Returns the address of a record: its position as one integer. Addresses ascend in the order of the primary copy. */
export function recordAddressOf({ chunk, block, row }: RecordPosition): number {
  return (chunk * CHUNK_BLOCKS + block) * MAX_GROUP_ROWS + row;
}

/** Returns chunk, block and row of a record address. */
export function recordPositionOf(address: number): RecordPosition {
  const blocks = Math.floor(address / MAX_GROUP_ROWS);
  return {
    chunk: Math.floor(blocks / CHUNK_BLOCKS),
    block: blocks % CHUNK_BLOCKS,
    row: address % MAX_GROUP_ROWS,
  };
}

/** Returns the address of the first record of the chunk. */
export function firstAddressOf(chunk: number): number {
  return recordAddressOf({ chunk, block: 0, row: 0 });
}

/** Size of a group. */
export interface GroupSize {
  readonly rows: number;
  /** Blocks of the group, and of the parts of a long geometry that follow it. */
  readonly blocks: number;
}

/**
 * Yields the address of the first row of each group, in order. A group that does not fit into the rest of its chunk
 * starts the next one.
 *
 * @param first the address at which the first group could start: a chunk and a block
 */
export function* addressGroups(first: number, groups: Iterable<GroupSize>): Generator<number> {
  let { chunk, block } = recordPositionOf(first);
  for (const { blocks } of groups) {
    if (block > 0 && block + blocks > CHUNK_BLOCKS) {
      chunk++;
      block = 0;
    }
    yield recordAddressOf({ chunk, block, row: 0 });
    block += blocks;
    if (block >= CHUNK_BLOCKS) {
      chunk++;
      block = 0;
    }
  }
}

/** A row as stored in records. */
export interface StoredRecord {
  /**
   * The row's columns without `geometry` and `bbox`, as the text of a JSON object with `id`. Null members may be left
   * out.
   */
  readonly json: Uint8Array;
  /**
   * TWKB or a fine point if that is exact, otherwise WKB. Of a long geometry the table of its parts. The parts follow
   * the group: each is a record without text, in its own block.
   */
  readonly geometry: Uint8Array;
}

/** Inflates the slice of a collection's compression dictionary. Throws if it is damaged or too large. */
export function readDictionary(slice: Uint8Array): Uint8Array {
  return inflate(slice, { maxBytes: MAX_DICTIONARY_BYTES });
}

/**
 * Returns the content of a group, for `sealBlock`: the number of UUIDs, the UUIDs, and the other data compressed.
 * Throws if the records have more than 128 MiB.
 */
export function writeGroup(records: readonly StoredRecord[], deflate: Deflate, dictionary?: Uint8Array): Uint8Array {
  const bytes = records.reduce((sum, { json, geometry }) => sum + json.length + geometry.length, 0);
  if (bytes > MAX_GROUP_BYTES) throw new Error(`a record has ${bytes} bytes, expected at most ${MAX_GROUP_BYTES}`);
  const [uuids, references, out] = [new ByteWriter(), new ByteWriter(), new ByteWriter()];
  const writer = new UuidWriter(uuids, references);
  const texts = records.map(({ json }) => writer.shorten(json));
  out.varint(records.length);
  for (const [row, { geometry }] of records.entries()) {
    out.varint(texts[row]?.length ?? 0);
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

/**
 * Returns a record's JSON with one byte in place of each UUID, as it is compressed. Dictionaries are made from such
 * texts.
 */
export function withoutUuids(json: Uint8Array): Uint8Array {
  return new UuidWriter(new ByteWriter(), new ByteWriter()).shorten(json);
}

/**
 * Returns the rows of a group, given its blocks. `block` is the number of the group's first block in its chunk. Throws
 * if the checksum does not match the bytes and `block`, or if the group is damaged.
 */
export async function openGroup(
  group: Uint8Array,
  block: number,
  dictionary: Uint8Array,
): Promise<readonly StoredRecord[]> {
  const content = new ByteReader(await openBlock(group, block));
  const uuids = content.raw(UUID_BYTES * content.varint());
  const reader = new ByteReader(inflate(content.raw(content.left), { dictionary, maxBytes: MAX_GROUP_BYTES }));
  const lengths = reader.list(() => [reader.varint(), reader.varint()] as const);
  const rows = lengths.length;
  if (rows > MAX_GROUP_ROWS) throw new Error(`a group has ${rows} rows, expected at most ${MAX_GROUP_ROWS}`);
  const texts = lengths.map(([length]) => reader.raw(length));
  const uuidReader = new UuidReader(uuids, reader, MAX_GROUP_BYTES);
  const json = texts.map((text) => uuidReader.lengthen(text));
  return lengths.map(([, length], row) => ({ json: json[row] as Uint8Array, geometry: reader.raw(length) }));
}
