/**
 * Front coding of lists of texts: each text is stored as the number of bytes it shares with the start of the text
 * before, and its other bytes.
 *
 * @module
 */
import { joinBytes } from "./bytes.ts";
import { fromUtf8, toUtf8 } from "./utf8.ts";
import type { ByteReader, ByteWriter } from "./varint.ts";

/** Returns a function that appends a text to `out`, as its difference from the text before. `frontDecoder` reads it. */
export function frontCoder(out: ByteWriter): (text: string) => void {
  let before: Uint8Array = new Uint8Array();
  return (text) => {
    const bytes = toUtf8(text);
    let shared = 0;
    while (shared < before.length && shared < bytes.length && before[shared] === bytes[shared]) shared++;
    out.varint(shared);
    out.varint(bytes.length - shared);
    out.raw(bytes.subarray(shared));
    before = bytes;
  };
}

/**
 * Returns a function that reads one text after the other of those that `frontCoder` wrote. The function throws if the
 * bytes end.
 */
export function frontDecoder(reader: ByteReader): () => string {
  let before: Uint8Array = new Uint8Array();
  return () => {
    const head = before.subarray(0, reader.varint());
    before = joinBytes([head, reader.raw(reader.varint())]);
    return fromUtf8(before);
  };
}
