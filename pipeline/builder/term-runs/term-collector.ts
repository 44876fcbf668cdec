/**
 * Collects the rows of each term, and writes them to a file country by country.
 * @module
 */
import { type FileHandle, open } from "node:fs/promises";
import { compareIds } from "../../../data/format/ids.ts";
import { ByteWriter, bytesOfVarint } from "../../../data/format/varint.ts";

/** The terms of a country with their row numbers, in order: bytes of a file. */
export interface TermSection {
  readonly country: string;
  /** The first byte; `end` is after the last one. */
  readonly start: number;
  readonly end: number;
}

/** Collects the terms of rows, country by country, and writes them to a file. */
export interface TermCollector {
  /** Adds the terms of the next row of the current country. */
  readonly add: (terms: readonly string[]) => void;
  /** Writes the section of the current country. `numbers` has the numbers of its rows, in the order of `add`. */
  readonly endCountry: (country: string, numbers: ArrayLike<number>) => Promise<void>;
  readonly close: () => Promise<readonly TermSection[]>;
}

/** Returns a collector that writes to the file at `path`. */
export async function createTermCollector(path: string): Promise<TermCollector> {
  const file = await open(path, "w");
  const sections: TermSection[] = [];
  let offset = 0;
  let ordinals = new Map<string, number>();
  let postings = createPostings();
  let rows = 0;
  return {
    add: (terms) => {
      for (const term of terms) {
        let ordinal = ordinals.get(term);
        if (ordinal === undefined) {
          ordinal = ordinals.size;
          ordinals.set(term, ordinal);
        }
        postings.add(ordinal, rows);
      }
      rows++;
    },
    endCountry: async (country, numbers) => {
      const start = offset;
      offset += await writeSection(file, [...ordinals.keys()], postings.byTerm(ordinals.size), numbers);
      sections.push({ country, start, end: offset });
      [ordinals, postings, rows] = [new Map(), createPostings(), 0];
    },
    close: async () => {
      await file.close();
      return sections;
    },
  };
}

/** The rows of each term, concatenated. */
interface RowsByTerm {
  readonly rows: Uint32Array;
  /** Start of each term's rows, and the end of the last. */
  readonly starts: Uint32Array;
}

interface Postings {
  readonly add: (term: number, row: number) => void;
  readonly byTerm: (terms: number) => RowsByTerm;
}

/** Pairs of integers, eight bytes each: about ten per row. */
function createPostings(): Postings {
  let pairs = new Uint32Array(2048);
  let length = 0;
  return {
    add: (term, row) => {
      if (length === pairs.length) {
        const grown = new Uint32Array(2 * length);
        grown.set(pairs);
        pairs = grown;
      }
      pairs[length++] = term;
      pairs[length++] = row;
    },
    byTerm: (terms) => {
      const starts = new Uint32Array(terms + 1);
      for (let i = 0; i < length; i += 2) {
        const after = (pairs[i] ?? 0) + 1;
        starts[after] = (starts[after] ?? 0) + 1;
      }
      for (let term = 0; term < terms; term++) starts[term + 1] = (starts[term + 1] ?? 0) + (starts[term] ?? 0);
      const next = starts.slice();
      const rows = new Uint32Array(length / 2);
      for (let i = 0; i < length; i += 2) {
        const term = pairs[i] ?? 0;
        const at = next[term] ?? 0;
        rows[at] = pairs[i + 1] ?? 0;
        next[term] = at + 1;
      }
      return { rows, starts };
    },
  };
}

const WRITTEN_BYTES = 1 << 20;

/** Writes each term front coded, with the gaps between its numbers. Returns the bytes. */
async function writeSection(
  file: FileHandle,
  terms: readonly string[],
  { rows, starts }: RowsByTerm,
  numbers: ArrayLike<number>,
): Promise<number> {
  const encoder = new TextEncoder();
  let [out, written] = [new ByteWriter(), 0];
  const flush = async (): Promise<void> => {
    written += out.length;
    await file.writeFile(out.bytes());
    out = new ByteWriter();
  };
  let before = new Uint8Array();
  for (const ordinal of ordinalsInOrder(terms)) {
    const text = encoder.encode(terms[ordinal]);
    let shared = 0;
    while (shared < before.length && shared < text.length && before[shared] === text[shared]) shared++;
    before = text;
    const [start, end] = [starts[ordinal] ?? 0, starts[ordinal + 1] ?? 0];
    const numberAt = (i: number): number => (i < start ? -1 : (numbers[rows[i] ?? 0] ?? 0));
    const gapAt = (i: number): number => numberAt(i) - numberAt(i - 1) - 1;
    let gapBytes = 0;
    for (let i = start; i < end; i++) gapBytes += bytesOfVarint(gapAt(i));
    out.varint(shared);
    out.varint(text.length - shared);
    out.raw(text.subarray(shared));
    out.varint(end - start);
    out.varint(numberAt(end - 1));
    out.varint(gapBytes);
    for (let i = start; i < end; i++) out.varint(gapAt(i));
    if (out.length > WRITTEN_BYTES) await flush();
  }
  await flush();
  return written;
}

/** From these characters on, UTF-8 and JavaScript order differ. */
const BEYOND = /[\ud800-\uffff]/;

/** Indices of the terms in the order of their UTF-8 bytes. */
function ordinalsInOrder(terms: readonly string[]): number[] {
  const ordinals = terms.map((_, ordinal) => ordinal);
  const term = (ordinal: number): string => terms[ordinal] ?? "";
  const isPlain = !terms.some((text) => BEYOND.test(text));
  const compare = isPlain ? compareCodeUnits : compareIds;
  return ordinals.sort((a, b) => compare(term(a), term(b)));
}

function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
