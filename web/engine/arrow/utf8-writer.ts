/**
 * Writes text as UTF-8 into one growing buffer.
 * @module
 */

/** Texts up to this length are copied by a loop, because a call of the encoder costs more. */
const SHORT_CHARS = 64;

const QUOTE = 0x22;

/** Escape sequences of bytes in JSON strings, as in `JSON.stringify`. */
const ESCAPES: readonly (Uint8Array | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return undefined;
  const escaped = JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
  return escaped.length === 1 ? undefined : new TextEncoder().encode(escaped);
});
const IS_ESCAPED = Uint8Array.from(ESCAPES, (spelled) => (spelled ? 1 : 0));
const MOST_BYTES_ESCAPED = 6;

/** Writes text and bytes into one buffer. The buffer contains what was written since the last `take` or `drop`. */
export class Utf8Writer {
  #bytes = new Uint8Array(4096);
  #length = 0;
  readonly #encoder = new TextEncoder();

  get length(): number {
    return this.#length;
  }

  /** The bytes written so far. Valid until the next write. */
  get view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Returns a copy of the bytes written so far, and resets the writer. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  drop(): void {
    this.#length = 0;
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    if (text.length > SHORT_CHARS || !this.#ascii(text)) {
      this.#length += this.#encoder.encodeInto(text, this.#bytes.subarray(this.#length)).written;
    }
  }

  bytes(source: Uint8Array): void {
    this.#reserve(source.length);
    if (source.length > SHORT_CHARS) this.#bytes.set(source, this.#length);
    else for (let i = 0; i < source.length; i++) this.#bytes[this.#length + i] = source[i] ?? 0;
    this.#length += source.length;
  }

  /** Writes the UTF-8 of `source` from `start` to `end` (exclusive) as a JSON string. */
  jsonString(source: Uint8Array, start: number, end: number): void {
    this.#reserve(2 + (end - start) * MOST_BYTES_ESCAPED);
    const bytes = this.#bytes;
    let length = this.#length;
    bytes[length++] = QUOTE;
    for (let i = start; i < end; i++) {
      const byte = source[i] ?? 0;
      if (IS_ESCAPED[byte] === 0) bytes[length++] = byte;
      else for (const part of ESCAPES[byte] ?? []) bytes[length++] = part;
    }
    bytes[length++] = QUOTE;
    this.#length = length;
  }

  #ascii(text: string): boolean {
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return false;
      this.#bytes[this.#length + i] = code;
    }
    this.#length += text.length;
    return true;
  }

  #reserve(sizeBytes: number): void {
    const needed = this.#length + sizeBytes;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.view);
    this.#bytes = grown;
  }
}
