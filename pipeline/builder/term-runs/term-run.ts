/**
 * Makes the run `term`: posting lists of terms.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import { ALL_COUNTRIES, type Slice, type TermNode } from "../../../data/format/manifest.ts";
import { POSTINGS_SLICE_BYTES, type TermPostings, writePostings } from "../../../data/format/postings.ts";
import { deflate, type LooseSlice } from "../packs/index.ts";
import { cutNumbers, planTerms, type TermRange } from "./plan-terms.ts";
import { MANY_ROWS, makePrefixes } from "./prefixes.ts";
import { mergeTerms } from "./read-sections.ts";
import { bytesOfList, numbersOfList, rowsOfList, type TermList } from "./term-lists.ts";

/** Box of slices whose rows have no location. */
export const WORLD: BBox = [-180, -90, 180, 90];

/** Uncompressed bytes of a slice with one term. Numbers hardly compress. */
const LIST_BYTES = POSTINGS_SLICE_BYTES * 1.5;

/** Uncompressed bytes of a slice with several terms. A keystroke reads one or two of each collection. */
const SLICE_BYTES = LIST_BYTES / 3;

/**
 * Bytes of a slice with terms of all countries together. A misspelt word is found if it is in the same slice as the
 * intended one.
 */
const WORLDWIDE_SLICE_BYTES = LIST_BYTES / 2;

/** Bytes of a term in addition to its numbers: text, count and length. */
const TERM_BYTES = 10;

/** The terms of a country's rows, as input of a term run. */
export interface CountryTerms {
  readonly country: string;
  /** Box of the country's rows. */
  readonly bbox: BBox;
  /** Returns the terms of the country in order. Called several times. */
  readonly openTerms: () => Iterable<TermList>;
}

export type LooseTermNode = Omit<TermNode, keyof Slice>;

export type DerivedSlices = AsyncGenerator<LooseSlice<LooseTermNode>>;

/**
 * Yields the slices of a country's terms, those of frequent prefixes included, in order. Throws if `openTerms` returns
 * fewer terms when it is called again.
 */
export function* termSlices({ country, bbox, openTerms }: CountryTerms): Generator<LooseSlice<LooseTermNode>> {
  const prefixes = countNames(openTerms()) > MANY_ROWS ? makePrefixes(openTerms) : [];
  const open = (): Iterable<TermList> => mergeTerms(openTerms(), prefixes);
  const planned = planOf(open(), country === ALL_COUNTRIES ? WORLDWIDE_SLICE_BYTES : SLICE_BYTES);
  const lists = open()[Symbol.iterator]();
  for (const range of planned) {
    const taken: TermList[] = [];
    for (let ordinal = range.start; ordinal < range.end; ordinal++) {
      const { value, done } = lists.next();
      if (done) throw new Error(`${country}: the terms end before those that were counted`);
      taken.push(value);
    }
    for (const { terms, start } of partsOf(taken)) {
      const [first, last] = [terms[0]?.term ?? "", terms.at(-1)?.term ?? ""];
      const rows = terms.reduce((sum, { numbers }) => sum + numbers.length, 0);
      yield {
        bytes: writePostings(terms, deflate),
        key: `${country} ${first} ${start}`,
        node: { rows, bbox, country, first_term: first, last_term: last, start },
      };
    }
  }
  lists.return?.();
}

function countNames(terms: Iterable<TermList>): number {
  let rows = 0;
  for (const list of terms) if (list.term.startsWith("name:")) rows += rowsOfList(list);
  return rows;
}

function planOf(lists: Iterable<TermList>, sliceBytes: number): TermRange[] {
  const [terms, weights]: [string[], number[]] = [[], []];
  for (const list of lists) {
    terms.push(list.term);
    weights.push(bytesOfList(list) + TERM_BYTES);
  }
  return planTerms({ terms, weights }, sliceBytes);
}

interface SlicePart {
  readonly terms: readonly TermPostings[];
  /** Rows of the first term in earlier slices. */
  readonly start: number;
}

/** Parts that become a slice each: consecutive terms, or parts of one that is too large. */
function partsOf(lists: readonly TermList[]): SlicePart[] {
  const [only] = lists;
  const bytes = only ? bytesOfList(only) : 0;
  if (lists.length !== 1 || !only || bytes + TERM_BYTES <= LIST_BYTES) {
    return [{ terms: lists.map((list) => ({ term: list.term, numbers: numbersOfList(list) })), start: 0 }];
  }
  const numbers = numbersOfList(only);
  const most = Math.max(1, Math.floor((numbers.length * LIST_BYTES) / bytes));
  let start = 0;
  return cutNumbers(numbers, most).map((end) => {
    const part = { terms: [{ term: only.term, numbers: numbers.subarray(start, end) }], start };
    start = end;
    return part;
  });
}
