/**
 * Variable-length integers (varints): seven bits per byte, the lowest first (LEB128), up to 2^53 - 1.
 *
 * @module
 */

/** Returns the number of bytes of a non-negative integer as a varint. */
export function bytesOfVarint(value: number): number {
  let [bytes, rest] = [1, value];
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}

/** Returns a signed integer as a non-negative one (zigzag): 0, -1, 1, -2, 2 become 0 to 4. */
export const zigzagOf = (value: number): number => (value >= 0 ? 2 * value : -2 * value - 1);

/** Returns the signed integer of a zigzag. */
export const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);

/** A growing buffer. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Writes an integer from 0 to 2^53 - 1. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  /** Writes a signed integer as the varint of its zigzag. */
  signed(value: number): void {
    this.varint(zigzagOf(value));
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Returns a copy of the written bytes. */
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

/** Reads an array of bytes from start to end. Each method throws if the bytes end before the value. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Number of bytes that are not read. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  varint(): number {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new Error("the bytes end within a number");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 0x80;
    }
    if (value > Number.MAX_SAFE_INTEGER) throw new Error(`number ${value} is larger than 2^53 - 1`);
    return value;
  }

  /** Reads a signed integer, stored as the varint of its zigzag. */
  signed(): number {
    return unzigzag(this.varint());
  }

  /**
   * Returns `count` items from `read`. Without `count`, the number is read first. Throws if there are fewer bytes than
   * items.
   */
  list<T>(read: () => T, count = this.varint()): T[] {
    if (count > this.left) throw new Error(`a list claims ${count} items in ${this.left} bytes`);
    return Array.from({ length: count }, read);
  }

  /** Returns a view of the next bytes. */
  raw(length: number): Uint8Array {
    if (length > this.left) throw new Error(`the bytes end with ${this.left} left, expected ${length}`);
    const start = this.#at;
    this.#at += length;
    return this.#bytes.subarray(start, this.#at);
  }
}
