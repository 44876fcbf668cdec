/**
 * Inflates compressed data up to a limit, because a few kilobytes can expand to gigabytes.
 *
 * @module
 */
import { Inflate, inflateSync } from "fflate";
import { joinBytes } from "./bytes.ts";

/** Compresses with raw deflate, optionally with a dictionary. */
export type Deflate = (bytes: Uint8Array, dictionary?: Uint8Array) => Uint8Array;

/** Compressed bytes per step. Deflate expands by at most 1,032 times. */
const CHUNK_BYTES = 16 * 1024;

export interface InflateOptions {
  /** The preset dictionary with which the data was compressed. */
  readonly dictionary?: Uint8Array;
  /** Maximum bytes of the result. */
  readonly maxBytes: number;
}

/** Inflates raw deflate data. Throws if the data is damaged or the result has more than `maxBytes` bytes. */
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

/** Returns the same bytes. Throws if there are more than `maxBytes`. */
export function within(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length > maxBytes) throw tooLarge(bytes.length, maxBytes);
  return bytes;
}

function tooLarge(bytes: number, maxBytes: number): Error {
  return new Error(`it inflates to ${bytes} bytes and more, expected at most ${maxBytes}`);
}
