/**
 * Whole numbers of a variable number of bytes: seven bits a byte, the least first (LEB128), up to 2^53.
 * @module
 */

/** How many bytes the number takes. */
export function bytesOfVarint(value: number): number {
  let [bytes, rest] = [1, value];
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}

/** Bytes that grow as they are written. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A whole number from 0 to 2^53 - 1. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** What was written: a copy. */
  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + count));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** Reads bytes from their beginning on. What would go beyond their end is an error. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Bytes that are left. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  varint(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new Error(`the bytes end after ${this.#bytes.length}, within a number`);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 0x80;
    }
    if (value > Number.MAX_SAFE_INTEGER) throw new Error(`number ${value} is larger than 2^53 - 1`);
    return value;
  }

  /** The next bytes: a view. */
  raw(length: number): Uint8Array {
    if (length > this.left) throw new Error(`the bytes end with ${this.left} left, expected ${length}`);
    const start = this.#at;
    this.#at += length;
    return this.#bytes.subarray(start, this.#at);
  }
}
