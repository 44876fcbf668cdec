/**
 * Reads sections of terms (`TermSection`) of several files, and merges them.
 * @module
 */
import { closeSync, openSync, readSync } from "node:fs";
import { compareIds } from "../../../data/format/ids.ts";
import type { TermList } from "./term-lists.ts";

/** Bytes `start` to `end` (exclusive) of a file of terms. `base` is added to the row numbers in it. */
export interface FileSection {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly base: number;
}

/**
 * Returns the terms of all sections in order, each once with all its row numbers. The numbers of a later section must
 * be higher than those of an earlier one.
 */
export function mergeSections(sections: readonly FileSection[]): Iterable<TermList> {
  const [first] = sections;
  if (!first) return [];
  if (sections.length === 1) return readSection(first);
  const middle = sections.length >> 1;
  return mergeTerms(mergeSections(sections.slice(0, middle)), mergeSections(sections.slice(middle)));
}

/**
 * Yields the terms of two lists in order, each once. The numbers of a term in `right` must be higher than those in
 * `left`.
 */
export function* mergeTerms(left: Iterable<TermList>, right: Iterable<TermList>): Generator<TermList> {
  const [a, b] = [left[Symbol.iterator](), right[Symbol.iterator]()];
  let [one, other] = [a.next(), b.next()];
  try {
    while (!one.done || !other.done) {
      const order = one.done ? 1 : other.done ? -1 : compareIds(one.value.term, other.value.term);
      if (order === 0) {
        yield { term: one.value.term, parts: [...one.value.parts, ...other.value.parts] };
        [one, other] = [a.next(), b.next()];
      } else if (order < 0) {
        yield one.value;
        one = a.next();
      } else {
        yield other.value;
        other = b.next();
      }
    }
  } finally {
    a.return?.();
    b.return?.();
  }
}

function* readSection({ path, start, end, base }: FileSection): Generator<TermList> {
  const cursor = openCursor(path, start, end);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let before: Uint8Array = new Uint8Array();
  try {
    while (!cursor.isAtEnd()) {
      const head = before.subarray(0, cursor.varint());
      const tail = cursor.raw(cursor.varint());
      before = Buffer.concat([head, tail]);
      const [rows, last] = [cursor.varint(), cursor.varint()];
      yield { term: decoder.decode(before), parts: [{ rows, base, last, gaps: cursor.raw(cursor.varint()) }] };
    }
  } finally {
    cursor.close();
  }
}

interface Cursor {
  readonly isAtEnd: () => boolean;
  readonly varint: () => number;
  /** Returns a copy. */
  readonly raw: (length: number) => Uint8Array;
  readonly close: () => void;
}

const READ_BYTES = 256 * 1024;

/** Reads a file sequentially. */
function openCursor(path: string, start: number, end: number): Cursor {
  const file = openSync(path, "r");
  const buffer = Buffer.alloc(Math.min(READ_BYTES, end - start));
  let [position, at, filled] = [start, 0, 0];
  const fill = (): void => {
    filled = readSync(file, buffer, 0, Math.min(buffer.length, end - position), position);
    if (filled === 0) throw new Error(`${path} ends within a term`);
    position += filled;
    at = 0;
  };
  const byte = (): number => {
    if (at === filled) fill();
    return buffer[at++] ?? 0;
  };
  return {
    isAtEnd: () => at === filled && position === end,
    varint: () => {
      let [value, scale] = [0, 1];
      for (;;) {
        const next = byte();
        value += (next & 0x7f) * scale;
        if (next < 0x80) return value;
        scale *= 0x80;
      }
    },
    raw: (length) => {
      const bytes = new Uint8Array(length);
      for (let done = 0; done < length; ) {
        if (at === filled) fill();
        const part = buffer.subarray(at, Math.min(filled, at + length - done));
        bytes.set(part, done);
        done += part.length;
        at += part.length;
      }
      return bytes;
    },
    close: () => closeSync(file),
  };
}
