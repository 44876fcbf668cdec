/**
 * Moves UUIDs out of JSON texts, to store them as 16 bytes. As hexadecimal digits they compress to about 20 bytes.
 *
 * @module
 */
import { toUtf8 } from "./utf8.ts";
import type { ByteReader, ByteWriter } from "./varint.ts";

/** Replaces a UUID in a text. JSON escapes control characters, so no other byte has this value. */
const MARKER = 0x01;

/** Bytes of a UUID. */
export const UUID_BYTES = 16;
const TEXT_BYTES = 36;

/** Positions of the hyphens in a UUID's text. The other bytes are hexadecimal digits. */
const HYPHENS = [8, 13, 18, 23] as const;
const HYPHEN = 0x2d;

/** For each byte of a UUID, whether its text has a hyphen before this byte. */
const HYPHEN_BEFORE = Array.from({ length: UUID_BYTES }, (_, byte) => [4, 6, 8, 10].includes(byte));

const DIGITS = toUtf8("0123456789abcdef");
const NO_DIGIT = 16;
/** Value of each byte as a lower-case hexadecimal digit. */
const VALUES = new Uint8Array(256).fill(NO_DIGIT);
for (const [value, byte] of DIGITS.entries()) VALUES[byte] = value;

/** Takes the UUIDs out of texts. A UUID that occurs again is stored once. */
export class UuidWriter {
  readonly #bytes: ByteWriter;
  readonly #references: ByteWriter;
  /** Index of each UUID written so far. */
  readonly #ranks = new Map<string, number>();

  /**
   * @param bytes gets the 16 bytes of each new UUID
   * @param references gets a varint for each UUID in the texts: 0 for the next new one, n for the nth before that
   */
  constructor(bytes: ByteWriter, references: ByteWriter) {
    this.#bytes = bytes;
    this.#references = references;
  }

  /** Returns the text with the byte 1 in place of each lower-case UUID. */
  shorten(text: Uint8Array): Uint8Array {
    const short = new Uint8Array(text.length);
    let [length, from] = [0, 0];
    const copy = (end: number): void => {
      short.set(text.subarray(from, end), length);
      length += end - from;
    };
    for (let at = text.indexOf(HYPHEN); at >= 0; at = text.indexOf(HYPHEN, at + 1)) {
      const start = at - HYPHENS[0];
      const uuid = start < from ? undefined : uuidAt(text, start);
      if (!uuid) continue;
      copy(start);
      short[length++] = MARKER;
      this.#add(uuid);
      from = start + TEXT_BYTES;
      at = from - 1;
    }
    copy(text.length);
    return short.subarray(0, length);
  }

  #add(uuid: Uint8Array): void {
    const key = keyOf(uuid);
    const rank = this.#ranks.get(key);
    this.#references.varint(rank === undefined ? 0 : this.#ranks.size - rank);
    if (rank !== undefined) return;
    this.#ranks.set(key, this.#ranks.size);
    this.#bytes.raw(uuid);
  }
}

/** Returns a text that differs between UUIDs: two bytes a character, which is four times as fast as one. */
function keyOf(uuid: Uint8Array): string {
  const unit = (byte: number): number => ((uuid[byte] ?? 0) << 8) | (uuid[byte + 1] ?? 0);
  return String.fromCharCode(unit(0), unit(2), unit(4), unit(6), unit(8), unit(10), unit(12), unit(14));
}

/** Returns the UUID whose text starts at this index. */
function uuidAt(text: Uint8Array, start: number): Uint8Array | undefined {
  for (const hyphen of HYPHENS) if (text[start + hyphen] !== HYPHEN) return undefined;
  const uuid = new Uint8Array(UUID_BYTES);
  for (let i = 0, at = start; i < UUID_BYTES; i++, at += 2) {
    if (HYPHEN_BEFORE[i]) at++;
    const [high, low] = [VALUES[text[at] ?? 0] ?? NO_DIGIT, VALUES[text[at + 1] ?? 0] ?? NO_DIGIT];
    if (high === NO_DIGIT || low === NO_DIGIT) return undefined;
    uuid[i] = 16 * high + low;
  }
  return uuid;
}

/** Puts the UUIDs back into texts. The texts must come in the order in which `UuidWriter` got them. */
export class UuidReader {
  readonly #uuids: Uint8Array;
  readonly #references: ByteReader;
  readonly #maxBytes: number;
  #read = 0;
  #textBytes = 0;

  /**
   * @param uuids 16 bytes each
   * @param maxBytes maximum of all texts together
   */
  constructor(uuids: Uint8Array, references: ByteReader, maxBytes: number) {
    this.#uuids = uuids;
    this.#references = references;
    this.#maxBytes = maxBytes;
  }

  /**
   * Returns the text with its UUIDs. Throws if a UUID is missing, or if all texts together have more than `maxBytes`
   * bytes.
   */
  lengthen(short: Uint8Array): Uint8Array {
    let markers = 0;
    for (let at = short.indexOf(MARKER); at >= 0; at = short.indexOf(MARKER, at + 1)) markers++;
    const bytes = short.length + markers * (TEXT_BYTES - 1);
    this.#textBytes += bytes;
    if (this.#textBytes > this.#maxBytes) throw new Error(`texts have more than ${this.#maxBytes} bytes`);
    const text = new Uint8Array(bytes);
    let [length, from] = [0, 0];
    for (let left = markers; left > 0; left--) {
      const at = short.indexOf(MARKER, from);
      text.set(short.subarray(from, at), length);
      length += at - from;
      this.#write(text, length);
      length += TEXT_BYTES;
      from = at + 1;
    }
    text.set(short.subarray(from), length);
    return text;
  }

  #write(text: Uint8Array, start: number): void {
    const reference = this.#references.varint();
    const rank = reference === 0 ? this.#read++ : this.#read - reference;
    const uuid = this.#uuids.subarray(rank * UUID_BYTES, (rank + 1) * UUID_BYTES);
    if (rank < 0 || uuid.length < UUID_BYTES) {
      throw new Error(`UUID ${rank} is not there, expected one of ${this.#uuids.length / UUID_BYTES}`);
    }
    for (let i = 0, at = start; i < UUID_BYTES; i++) {
      if (HYPHEN_BEFORE[i]) text[at++] = HYPHEN;
      const byte = uuid[i] ?? 0;
      text[at++] = DIGITS[byte >> 4] ?? 0;
      text[at++] = DIGITS[byte & 15] ?? 0;
    }
  }
}
