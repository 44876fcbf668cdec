/**
 * Makes terms of prefixes of names that many rows have.
 * @module
 */
import { prefixTerm } from "../../../data/format/terms.ts";
import { numberList, numbersOfList, rowsOfList, type TermList } from "./term-lists.ts";

const NAME = "name:";

/** A prefix with more rows than this in a country is a term. */
export const MANY_ROWS = 16 * 1024;

interface Prefix {
  readonly text: string;
  names: number;
  /** Total postings of its names: a row counts once per matching name. */
  postings: number;
}

interface Stored extends Prefix {
  readonly list: TermList;
}

/**
 * Returns the posting lists of prefixes with more than `many` rows, and of their shorter prefixes, in the order of
 * terms. Leaves out a prefix of only one name, and one with the same rows as the next prefix: the first stored term
 * that starts with a missing prefix has its rows. `openTerms` returns a country's terms in order, and is called twice.
 */
export function makePrefixes(openTerms: () => Iterable<TermList>, many = MANY_ROWS): TermList[] {
  const candidates = candidatesOf(openTerms(), many);
  const lists = candidates.size > 0 ? listsOf(openTerms(), candidates) : [];
  const heavy = lists.filter(({ list }) => rowsOfList(list) > many);
  const shorter = new Set(heavy.flatMap(({ text }) => prefixesOf(text)));
  const hot = lists.filter(({ text }) => shorter.has(text));
  hot.sort((a, b) => Buffer.compare(Buffer.from(a.text), Buffer.from(b.text)));
  return hot.filter((one, index) => !isLikeNext(one, hot[index + 1])).map(({ list }) => list);
}

/** True if the next prefix in order is one letter longer and has the same rows. */
function isLikeNext(one: Stored, next: Stored | undefined): boolean {
  return next?.text.startsWith(one.text) === true && rowsOfList(next.list) === rowsOfList(one.list);
}

/** Prefixes that may have many rows, by text. */
function candidatesOf(terms: Iterable<TermList>, many: number): Map<string, Prefix> {
  const found = new Map<string, Prefix>();
  let open: Prefix[] = [];
  const close = (from: number): void => {
    for (const one of open.slice(from)) if (one.names > 1 && one.postings > many) found.set(one.text, one);
    open = open.slice(0, from);
  };
  for (const list of namesOf(terms)) {
    const texts = prefixesOf(list.term.slice(NAME.length));
    let same = 0;
    while (same < open.length && open[same]?.text === texts[same]) same++;
    close(same);
    for (const text of texts.slice(same)) open.push({ text, names: 0, postings: 0 });
    const rows = rowsOfList(list);
    for (const one of open) {
      one.names++;
      one.postings += rows;
    }
  }
  close(0);
  return found;
}

/** The rows of each candidate, without duplicates. */
function listsOf(terms: Iterable<TermList>, candidates: ReadonlyMap<string, Prefix>): Stored[] {
  const made: Stored[] = [];
  let open: { readonly prefix: Prefix; readonly numbers: Float64Array; length: number }[] = [];
  const close = (isStill: (text: string) => boolean): void => {
    const still = open.filter(({ prefix }) => isStill(prefix.text));
    for (const { prefix, numbers } of open.slice(still.length)) {
      const list = { term: prefixTerm(prefix.text), parts: [numberList(risingOnce(numbers))] };
      made.push({ ...prefix, list });
    }
    open = still;
  };
  for (const list of namesOf(terms)) {
    const name = list.term.slice(NAME.length);
    close((text) => name.startsWith(text));
    for (const text of prefixesOf(name).slice(open.length)) {
      const prefix = candidates.get(text);
      // If a prefix is not a candidate, longer ones are not either.
      if (!prefix) break;
      open.push({ prefix, numbers: new Float64Array(prefix.postings), length: 0 });
    }
    if (open.length === 0) continue;
    const numbers = numbersOfList(list);
    for (const one of open) {
      one.numbers.set(numbers, one.length);
      one.length += numbers.length;
    }
  }
  close(() => false);
  return made;
}

function* risingOnce(numbers: Float64Array): Generator<number> {
  let last = -1;
  for (const number of numbers.sort()) {
    if (number !== last) yield number;
    last = number;
  }
}

function* namesOf(terms: Iterable<TermList>): Generator<TermList> {
  for (const list of terms) if (list.term.startsWith(NAME)) yield list;
}

function prefixesOf(text: string): string[] {
  const texts: string[] = [];
  let prefix = "";
  for (const character of text) {
    prefix += character;
    texts.push(prefix);
  }
  return texts;
}
