/**
 * Blocks of 2,048 bytes. A content (bytes that are read as a unit, such as a group of records) takes one or more
 * blocks. Each content has a header: 8 bytes of checksum and 4 bytes of length. The checksum depends on the number of
 * the content's first block in its slice, so a content at the wrong place is found.
 *
 * @module
 */
import { sha256Of } from "./sha256.ts";

/** Bytes of a block in the records and ids runs. */
export const BLOCK_BYTES = 2048;

/** Bytes of the header before a content: its checksum and its length. */
export const BLOCK_HEADER_BYTES = 12;
const CHECK_BYTES = 8;

/**
 * Returns the blocks of a content: header, content, and zeros up to the end of the last block. `block` is the number of
 * the first of these blocks in its slice.
 */
export async function sealBlock(content: Uint8Array, block: number): Promise<Uint8Array> {
  return sealed(content, block, blocksFor(content.length) * BLOCK_BYTES);
}

/**
 * Returns header and content without zeros at the end, for the last content of a slice. `block` is the number of the
 * content's first block in the slice.
 */
export async function sealLast(content: Uint8Array, block: number): Promise<Uint8Array> {
  return sealed(content, block, BLOCK_HEADER_BYTES + content.length);
}

/**
 * Returns header and content, without zeros, for a content that follows the blocks of a slice and has no block number.
 * `openTail` reads it.
 */
export async function sealTail(content: Uint8Array): Promise<Uint8Array> {
  return sealLast(content, TAIL_BLOCK);
}

/** Block number in the checksum of content that follows the blocks. No block has it. */
const TAIL_BLOCK = 0xffffffff;

async function sealed(content: Uint8Array, block: number, bytes: number): Promise<Uint8Array> {
  const whole = new Uint8Array(bytes);
  new DataView(whole.buffer).setUint32(CHECK_BYTES, content.length, true);
  whole.set(content, BLOCK_HEADER_BYTES);
  whole.set(await checkOf(whole, block));
  return whole;
}

/** Returns the number of blocks that a content of this size takes. The size does not include the header. */
export function blocksFor(contentBytes: number): number {
  return Math.ceil((BLOCK_HEADER_BYTES + contentBytes) / BLOCK_BYTES);
}

/**
 * Returns the bytes of all blocks of the content that starts with this block: a multiple of 2,048, also if the end of a
 * slice has fewer. Does not check the checksum. Throws if there are fewer bytes than a header.
 */
export function blockBytesOf(firstBlock: Uint8Array): number {
  return blocksFor(blockContentBytes(firstBlock)) * BLOCK_BYTES;
}

/** Returns the length of the content that starts here, by its header. Throws if there are fewer bytes than a header. */
export function blockContentBytes(firstBlock: Uint8Array): number {
  if (firstBlock.length < BLOCK_HEADER_BYTES)
    throw new Error(`a block has ${firstBlock.length} bytes, expected at least ${BLOCK_HEADER_BYTES}`);
  const header = new DataView(firstBlock.buffer, firstBlock.byteOffset, firstBlock.byteLength);
  return header.getUint32(CHECK_BYTES, true);
}

/**
 * Returns the content of the blocks that `sealBlock` or `sealLast` made, as a view. `block` is the number of the first
 * block in its slice. Throws if the checksum does not match the bytes and the number.
 */
export async function openBlock(bytes: Uint8Array, block: number): Promise<Uint8Array> {
  const check = await checkOf(bytes, block);
  if (check.some((byte, index) => byte !== bytes[index])) throw new Error(`block ${block} does not hold its check`);
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(CHECK_BYTES, true);
  return bytes.subarray(BLOCK_HEADER_BYTES, BLOCK_HEADER_BYTES + length);
}

/** Returns the content that `sealTail` made, as a view. Throws if the checksum does not match. */
export function openTail(bytes: Uint8Array): Promise<Uint8Array> {
  return openBlock(bytes, TAIL_BLOCK);
}

/** A prefix of the SHA-256 of the block's number and the bytes after the checksum. */
async function checkOf(bytes: Uint8Array, block: number): Promise<Uint8Array> {
  const checked = new Uint8Array(4 + bytes.length - CHECK_BYTES);
  new DataView(checked.buffer).setUint32(0, block, true);
  checked.set(bytes.subarray(CHECK_BYTES), 4);
  const sha256 = await sha256Of(checked);
  return Uint8Array.from({ length: CHECK_BYTES }, (_, i) => Number.parseInt(sha256.slice(2 * i, 2 * i + 2), 16));
}
