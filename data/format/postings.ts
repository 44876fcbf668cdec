/**
 * Posting lists: the rows of each term. A slice has consecutive terms of a country, front coded, and the gaps between
 * the row numbers of each term, compressed together.
 * @module
 */
import { frontCoder, frontDecoder } from "./front-coding.ts";
import { compareIds } from "./ids.ts";
import { type Deflate, inflate } from "./inflate.ts";
import { MAX_SLICE_BYTES } from "./limits.ts";
import { firstIndex } from "./sorted.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

/** Approximate compressed size to which slices of posting lists are written. */
export const POSTINGS_SLICE_BYTES = 32 * 1024;

/** Approximate memory of a term in addition to its bytes. */
const TERM_BYTES = 100;

/** A term with its ascending row numbers, counted from the first number of the country. */
export interface TermPostings {
  readonly term: string;
  readonly numbers: ArrayLike<number>;
}

/** Returns a compressed slice of posting lists. The terms must be in the order of their UTF-8 bytes, each once. */
export function writePostings(terms: Iterable<TermPostings>, deflate: Deflate): Uint8Array {
  const out = new ByteWriter();
  const writeTerm = frontCoder(out);
  for (const { term, numbers } of terms) {
    const gaps = new ByteWriter();
    let last = -1;
    for (let i = 0; i < numbers.length; i++) {
      const number = numbers[i] ?? 0;
      gaps.varint(number - last - 1);
      last = number;
    }
    writeTerm(term);
    out.varint(numbers.length);
    out.varint(gaps.length);
    out.raw(gaps.bytes());
  }
  return deflate(out.bytes());
}

/** A slice of posting lists in memory. Row numbers are decoded on request. */
export interface Postings {
  readonly terms: readonly string[];
  /** Number of rows of each term. */
  readonly counts: readonly number[];
  /** Approximate memory. */
  readonly sizeBytes: number;
  /** Ascending row numbers of the term with this index, counted from the first number of the country. */
  numbersAt(ordinal: number): Float64Array;
  /** Range of the indices of the terms from `first` to `last`, both included. `end` is exclusive. */
  rangeOf(first: string, last: string): { readonly start: number; readonly end: number };
}

/** Reads a slice of posting lists. Throws if it is damaged. `numbersAt` may throw, too. */
export function readPostings(slice: Uint8Array): Postings {
  const bytes = inflate(slice, { maxBytes: MAX_SLICE_BYTES });
  const reader = new ByteReader(bytes);
  const [terms, counts, gaps]: [string[], number[], Uint8Array[]] = [[], [], []];
  const readTerm = frontDecoder(reader);
  while (reader.left > 0) {
    terms.push(readTerm());
    const count = reader.varint();
    const own = reader.raw(reader.varint());
    if (count > own.length) throw new Error(`a term claims ${count} rows in ${own.length} bytes`);
    counts.push(count);
    gaps.push(own);
  }
  return {
    terms,
    counts,
    sizeBytes: bytes.length + TERM_BYTES * terms.length,
    numbersAt(ordinal) {
      const numbers = new Float64Array(counts[ordinal] ?? 0);
      const own = new ByteReader(gaps[ordinal] ?? new Uint8Array());
      let last = -1;
      for (let i = 0; i < numbers.length; i++) {
        last += own.varint() + 1;
        numbers[i] = last;
      }
      return numbers;
    },
    rangeOf: (first, last) => ({
      start: firstIndex(terms.length, (ordinal) => compareIds(terms[ordinal] ?? "", first) >= 0),
      end: firstIndex(terms.length, (ordinal) => compareIds(terms[ordinal] ?? "", last) > 0),
    }),
  };
}
