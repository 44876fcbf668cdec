/**
 * The JSON of all records of a small collection as one compressed text, which the manifest contains.
 * @module
 */
import { BLOCK_BYTES, blockBytesOf } from "./blocks.ts";
import { bytesOfBase64, joinBytes } from "./bytes.ts";
import { isPartTable } from "./geometry-parts.ts";
import { inflateLarge } from "./inflate-large.ts";
import { openGroup } from "./records.ts";

/** Maximum size of all texts of a collection together, inflated, because the first search inflates all. */
export const MAX_TEXTS_BYTES = 1024 * 1024;

const LINE_FEED = 10;

/**
 * Returns the JSON of each record of a chunk, each followed by a line feed. Undefined if a geometry is cut into parts
 * or a text has a line feed. Throws if the chunk is damaged.
 */
export async function textsOfChunk(chunk: Uint8Array, dictionary: Uint8Array): Promise<Uint8Array | undefined> {
  const texts: Uint8Array[] = [];
  for (let start = 0; start < chunk.length; ) {
    const bytes = blockBytesOf(chunk.subarray(start));
    const records = await openGroup(chunk.slice(start, start + bytes), start / BLOCK_BYTES, dictionary);
    for (const { json, geometry } of records) {
      if (isPartTable(geometry) || json.includes(LINE_FEED)) return undefined;
      texts.push(json, Uint8Array.of(LINE_FEED));
    }
    start += bytes;
  }
  return joinBytes(texts);
}

/**
 * Returns the JSON of each record in order, as views, given the compressed texts in base64. Rejects if they are damaged
 * or are not `rows` texts.
 */
export async function readTexts(base64: string, rows: number): Promise<readonly Uint8Array[]> {
  const bytes = await inflateLarge(bytesOfBase64(base64), { maxBytes: MAX_TEXTS_BYTES });
  const texts: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
    texts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (texts.length !== rows || start !== bytes.length)
    throw new Error(`${texts.length} texts end at byte ${start} of ${bytes.length}, expected ${rows} texts`);
  return texts;
}
