/**
 * Inflates what was compressed, up to a size: a few kilobytes can claim to be gigabytes.
 * @module
 */
import { Inflate, inflateSync } from "fflate";
import { joinBytes } from "./bytes.ts";

/** Compresses as deflate without a header; the dictionary precedes what is compressed. */
export type Deflate = (bytes: Uint8Array, dictionary?: Uint8Array) => Uint8Array;

/** Compressed bytes at a time: deflate makes at most 1,032 times as many of them. */
const CHUNK_BYTES = 16 * 1024;

export interface InflateOptions {
  /** What preceded the bytes when they were compressed. */
  readonly dictionary?: Uint8Array;
  /** Most bytes that may come of it. */
  readonly maxBytes: number;
}

/** What the bytes hold, compressed as deflate without a header. Throws when they are damaged or hold too much. */
export function inflate(bytes: Uint8Array, { dictionary, maxBytes }: InflateOptions): Uint8Array {
  const options = dictionary ? { dictionary } : {};
  if (bytes.length <= CHUNK_BYTES) return within(inflateSync(bytes, options), maxBytes);
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  const stream = new Inflate(options, (part) => {
    parts.push(part);
    sizeBytes += part.length;
  });
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    stream.push(bytes.subarray(start, start + CHUNK_BYTES), start + CHUNK_BYTES >= bytes.length);
    if (sizeBytes > maxBytes) throw tooLarge(sizeBytes, maxBytes);
  }
  return joinBytes(parts);
}

function within(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length > maxBytes) throw tooLarge(bytes.length, maxBytes);
  return bytes;
}

function tooLarge(bytes: number, maxBytes: number): Error {
  return new Error(`it inflates to ${bytes} bytes and more, expected at most ${maxBytes}`);
}
