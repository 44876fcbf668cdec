/**
 * Postings: which rows have which terms. A slice holds neighbouring terms of a country in order, each with what it does
 * not share with the one before it and the gaps between the numbers of its rows, all of it compressed together.
 * @module
 */
import { frontCoder, frontDecoder } from "./front-coding.ts";
import { compareIds } from "./ids.ts";
import { type Deflate, inflate } from "./inflate.ts";
import { MAX_SLICE_BYTES } from "./limits.ts";
import { firstIndex } from "./sorted.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

/** Compressed size of a slice, about. */
export const POSTINGS_SLICE_BYTES = 32 * 1024;

/** About what a term takes up in memory beside its bytes. */
const TERM_BYTES = 100;

/** A term with the numbers of its rows, rising, counted from the first number of the country. */
export interface TermPostings {
  readonly term: string;
  readonly numbers: ArrayLike<number>;
}

/** The slice of these terms, which are in the order of their UTF-8 bytes. */
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

/** A slice in memory: its terms, and of each the numbers of its rows when they are asked for. */
export interface Postings {
  readonly terms: readonly string[];
  /** Rows of each term. */
  readonly counts: readonly number[];
  /** About what it takes up. */
  readonly sizeBytes: number;
  /** Numbers of the rows of the term at the place, rising, counted from the first number of the country. */
  numbersAt(place: number): Float64Array;
  /** Places of the terms from `first` to `last`, both included: half-open. */
  placesOf(first: string, last: string): { readonly start: number; readonly end: number };
}

/** The terms of a slice. Throws when it is damaged. */
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
    numbersAt(place) {
      const numbers = new Float64Array(counts[place] ?? 0);
      const own = new ByteReader(gaps[place] ?? new Uint8Array());
      let last = -1;
      for (let i = 0; i < numbers.length; i++) {
        last += own.varint() + 1;
        numbers[i] = last;
      }
      return numbers;
    },
    placesOf: (first, last) => ({
      start: firstIndex(terms.length, (place) => compareIds(terms[place] ?? "", first) >= 0),
      end: firstIndex(terms.length, (place) => compareIds(terms[place] ?? "", last) > 0),
    }),
  };
}
