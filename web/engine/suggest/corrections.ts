/**
 * Finds corrections of a misspelt word: similar terms in the dataset. Terms are sorted, so most errors lead to a
 * nearby term; errors in the first letters lead to other slices, which are read within a limit on bytes.
 * @module
 */
import { termsOf } from "../../../data/format/fold.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { ALL_COUNTRIES, isPage, type PageNode, type TermNode } from "../../../data/format/manifest.ts";
import type { Postings } from "../../../data/format/postings.ts";
import { firstIndex } from "../../../data/format/sorted.ts";
import { allNames, BY_ENDS, endTerm, MISSPELT_FROM, wordOfEnd } from "../../../data/format/terms.ts";
import { findPartitions } from "../index-tree/tree.ts";
import { readNumbered } from "../store/numbered-rows.ts";
import type { Session } from "../store/session.ts";
import { baseOf, intersected, numbersInRange, type RowNumbers } from "../terms/posting-lists.ts";
import { bytesOf, type PostingRange, postingRange, postingRangeOf, type TermRun } from "../terms/term-index.ts";
import { editsBetween, mostEdits } from "./edits.ts";
import type { Point } from "./scope.ts";
import { hasWords, type Names } from "./suggestion.ts";

/**
 * Limits on bytes of slices that only the corrections read: for divisions, and for places and streets of all countries
 * together.
 */
const DIVISION_BYTES = 36 * 1024;
const LOCAL_BYTES = 24 * 1024;
/** Without a position the text means a town. */
const DIVISION_ALONE_BYTES = 44 * 1024;

/** Rows that match all other words. If there are few, their names are read to find the intended word. */
const FEW_ROWS = 8;

/** Corrections that are looked up: each takes about one slice of suggestions. */
const MOST_CORRECTIONS = 3;

/** Words of a text that are examined in a run. */
const MOST_WORDS = 3;

/** Names of divisions have at most this number of words. */
const MOST_DIVISION_WORDS = 6;

const NAME = "name:";

export interface Correction {
  /** The words of the text with one of them changed. */
  readonly words: readonly string[];
  readonly edits: number;
}

interface Near {
  readonly term: string;
  readonly index: number;
  readonly edits: number;
  /** Whether letters were left out or swapped: such edits lead to few terms, changed or inserted letters to many. */
  readonly isLikely: boolean;
  readonly isSameStart: boolean;
  /** Rows that match it and the other words, if known. */
  readonly rows: number;
}

export interface MisspeltQuery {
  readonly words: readonly string[];
  readonly countries: readonly string[];
  readonly near?: Point | undefined;
}

/** A word of the text in a run that may be wrong. */
interface UncertainWord {
  readonly run: TermRun;
  readonly word: string;
  readonly index: number;
  /** The rows that match all other words; undefined if unknown, or if there are no others. */
  readonly others: RowNumbers | undefined;
}

/**
 * Returns the text with one word corrected, the most likely correction first. If the text has other words, a row must have the
 * corrected word together with them.
 */
export async function corrections(session: Session, { words, countries, near }: MisspeltQuery): Promise<Correction[]> {
  const run = (collection: TermRun["collection"], country: string): TermRun => ({
    ...{ session, collection, run: "term", country },
  });
  const local = countries.flatMap((country) => [run("place", country), run("segment", country)]);
  const divisions = words.length > MOST_DIVISION_WORDS ? [] : [run("division", ALL_COUNTRIES)];
  const [ofDivisions, others] = await Promise.all([
    nearTerms(divisions, words, createBudget(session, near ? DIVISION_BYTES : DIVISION_ALONE_BYTES)),
    nearTerms(local, words, createBudget(session, near ? LOCAL_BYTES : 0)),
  ]);
  const best = new Map<string, Near>();
  for (const one of [...ofDivisions, ...others]) {
    const key = `${one.index} ${one.term}`;
    best.set(key, { ...one, rows: one.rows + (best.get(key)?.rows ?? 0) });
  }
  const all = [...best.values()].sort(
    (a, b) =>
      Number(b.rows > 0) - Number(a.rows > 0) ||
      a.edits - b.edits ||
      Number(b.isLikely) - Number(a.isLikely) ||
      Number(b.isSameStart) - Number(a.isSameStart) ||
      b.rows - a.rows,
  );
  return all.slice(0, MOST_CORRECTIONS).map(({ term, edits, index }) => {
    return { words: words.with(index, term), edits };
  });
}

/** Slices that may be read: those that the search has read already, and others within a limit on bytes. */
interface Budget {
  isFree(slice: TermNode): boolean;
  /** Returns whether the slices fit into the limit. If so, they are free from then on. */
  take(slices: readonly TermNode[]): boolean;
}

function createBudget(session: Session, maxBytes: number): Budget {
  const taken = new Set<string>();
  let left = maxBytes;
  const isFree = (slice: TermNode) => taken.has(slice.sha256) || session.isUsed(slice);
  return {
    isFree,
    take(slices) {
      const bytes = bytesOf(slices.filter((slice) => !isFree(slice)));
      if (bytes > left) return false;
      left -= bytes;
      for (const { sha256 } of slices) taken.add(sha256);
      return true;
    },
  };
}

async function nearTerms(runs: readonly TermRun[], words: readonly string[], budget: Budget): Promise<Near[]> {
  const uncertainWords = await findUncertainWords(runs, words, budget);
  const correctedTerms = await Promise.all(uncertainWords.map((uncertainWord) => termsOfFew(uncertainWord, words)));
  if (correctedTerms.some((found) => found.length > 0)) return correctedTerms.flat();
  const near = new Map<string, Near>();
  for (const { uncertainWord, postings } of await slicesLike(uncertainWords, budget)) {
    const { run, word, index, others } = uncertainWord;
    const base = baseOf(run);
    for (const { ordinal, term, edits } of termsLike(postings, word)) {
      // a term may be found by its start and by its end
      const key = `${uncertainWords.indexOf(uncertainWord)} ${term}`;
      if (near.has(key)) continue;
      const count = () => rowsOfBoth(postings.numbersAt(ordinal), base, others ?? new Float64Array());
      const rows = others ? count() : words.length > 1 ? 0 : (postings.counts[ordinal] ?? 0);
      near.set(key, { term, index, edits, ...likenessOf(term, word), rows });
    }
  }
  return [...near.values()];
}

async function findUncertainWords(
  runs: readonly TermRun[],
  words: readonly string[],
  budget: Budget,
): Promise<UncertainWord[]> {
  const [only] = words;
  if (words.length === 1 && only) return runs.map((run) => ({ run, word: only, index: 0, others: undefined }));
  const ranges = await Promise.all(runs.map((run) => rangesOf(run, words)));
  // in the order of the runs, whichever answers first; the longest word is the most selective
  const taken = ranges.map((own) => {
    const longestFirst = own.toSorted((a, b) => b.first.length - a.first.length);
    const affordable = new Set(longestFirst.filter(({ partitions }) => budget.take(partitions)));
    return own.map((range) => (affordable.has(range) ? range : undefined));
  });
  return (await Promise.all(runs.map((run, index) => findUncertainWordsIn(run, words, taken[index] ?? [])))).flat();
}

function rangesOf(run: TermRun, words: readonly string[]): Promise<PostingRange[]> {
  return Promise.all(
    words.map((word) => {
      const term = NAME + word;
      // terms with so short a prefix are spread over many slices
      return isShort(word) ? postingRange(run, { first: term, last: term }) : postingRangeOf(run, term);
    }),
  );
}

function isShort(word = ""): boolean {
  return word.length < MISSPELT_FROM;
}

/**
 * The words that may be wrong: the only one without a row, or any if each has rows. With several unknown words more
 * than one is wrong.
 */
async function findUncertainWordsIn(
  run: TermRun,
  words: readonly string[],
  ranges: readonly (PostingRange | undefined)[],
): Promise<readonly UncertainWord[]> {
  const lists = await Promise.all(ranges.map((range) => range && numbersInRange(run, range)));
  const unknown = lists.flatMap((list, index) => {
    return list?.length === 0 && !isShort(words[index]) ? [index] : [];
  });
  if (unknown.length > 1) return [];
  const uncertainWords = words.flatMap((word, index): UncertainWord[] => {
    if (mostEdits(word, word.length + 1) === 0 || (unknown.length > 0 && unknown[0] !== index)) return [];
    const known = lists.filter(
      (list, other): list is RowNumbers =>
        other !== index && list !== undefined && (list.length > 0 || !isShort(words[other])),
    );
    return [{ run, word, index, others: known.length > 0 ? intersected(known) : undefined }];
  });
  // a name with the other words identifies the wrong one; a known word is wrong only in such a name
  const likely = uncertainWords.filter(({ index, others }) => unknown[0] === index || (others && others.length > 0));
  return likely.toSorted((a, b) => b.word.length - a.word.length).slice(0, MOST_WORDS);
}

/** The corrections from the names of the few rows that match all other words. */
async function termsOfFew({ run, word, index, others }: UncertainWord, words: readonly string[]): Promise<Near[]> {
  if (!others || others.length === 0 || others.length > FEW_ROWS || run.country === ALL_COUNTRIES) return [];
  const besides = words.toSpliced(index, 1);
  const near = new Map<string, Near>();
  for (const { rows, row } of await readNumbered(run.session, run.collection, [...others])) {
    for (const name of allNames((rows.column("names")?.read(row) ?? null) as Names | null)) {
      if (!hasWords(name, besides)) continue;
      for (const { term, edits } of likeOf(word, [...termsOf(name)])) {
        const known = near.get(term)?.rows ?? 0;
        near.set(term, { term, index, edits, ...likenessOf(term, word), rows: known + 1 });
      }
    }
  }
  return [...near.values()];
}

function rowsOfBoth(numbers: RowNumbers, base: number, others: RowNumbers): number {
  return intersected([numbers.map((number) => number + base), others]).length;
}

function likenessOf(term: string, word: string): Pick<Near, "isLikely" | "isSameStart"> {
  const letters = (text: string) => Array.from(text).sort().join("");
  return {
    isLikely: term.length > word.length || letters(term) === letters(word),
    isSameStart: term[0] === word[0],
  };
}

interface TermLike {
  readonly ordinal: number;
  readonly term: string;
  readonly edits: number;
}

function termsLike({ terms }: Postings, word: string): TermLike[] {
  return likeOf(
    word,
    terms.map((term) => (term.startsWith(NAME) ? term.slice(NAME.length) : (wordOfEnd(term) ?? ""))),
  );
}

/** The terms similar to the word, with their positions. */
function likeOf(word: string, terms: readonly string[]): TermLike[] {
  const letters = Array.from(word);
  const own = lettersOf(word);
  return terms.flatMap((term, ordinal) => {
    if (term === "") return [];
    const most = mostEdits(word, term.length);
    // an edit removes at most one letter and adds at most one
    if (most === 0 || bitsOf(own ^ lettersOf(term)) > 2 * most) return [];
    const edits = editsBetween(letters, Array.from(term), most);
    return edits ? [{ ordinal, term, edits }] : [];
  });
}

/** The set of its letters as 32 bits: a fast test before the slow one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) & 31);
  return letters;
}

function bitsOf(value: number): number {
  let bits = 0;
  for (let left = value; left !== 0; left &= left - 1) bits++;
  return bits;
}

/** A slice less likely to contain the intended word is not read. */
const LEAST_CHANCE = 0.04;

interface Guess {
  readonly uncertainWord: UncertainWord;
  readonly node: TermNode;
  readonly texts: ReadonlySet<Edited>;
}

/** Slices that can contain similar terms: first the free ones, then the most likely per byte up to the limit. */
async function slicesLike(uncertainWords: readonly UncertainWord[], { isFree, take }: Budget) {
  let guesses = (await Promise.all(uncertainWords.map(guessesOf))).flat();
  const looked = new Set<Edited>();
  const chanceOf = ({ texts }: Guess) =>
    [...texts].reduce((sum, text) => sum + (looked.has(text) ? 0 : text.chance), 0);
  const chosen: Guess[] = [];
  for (;;) {
    const likely = guesses
      .map((guess) => ({ guess, chance: chanceOf(guess), bytes: isFree(guess.node) ? 1 : guess.node.bytes }))
      .filter(({ chance }) => chance >= LEAST_CHANCE);
    const [best] = likely.sort((a, b) => b.chance / b.bytes - a.chance / a.bytes);
    if (!best) break;
    const { guess } = best;
    guesses = guesses.filter((other) => other !== guess);
    if (!take([guess.node])) continue;
    chosen.push(guess);
    for (const text of guess.texts) looked.add(text);
  }
  return Promise.all(
    chosen.map(async ({ uncertainWord, node }) => {
      const { session, collection } = uncertainWord.run;
      return { uncertainWord, postings: await session.readPostings({ collection, run: "term", node }) };
    }),
  );
}

/**
 * The positions of texts one edit away from the word, by its start and, if terms are also stored reversed, by its
 * end.
 */
async function guessesOf(uncertainWord: UncertainWord): Promise<Guess[]> {
  const { run, word } = uncertainWord;
  const hasEnds = BY_ENDS.has(run.collection) && run.country === ALL_COUNTRIES;
  const termsOfText = (text: string) => [NAME + text, ...(hasEnds ? [endTerm(text)] : [])];
  const near = termsOfText(word);
  // other pages lead to less likely terms
  const found = await findPartitions(run.session, { collection: run.collection, run: "term" }, (node) => {
    return isPage(node) ? near.some((term) => pageHolds(run, node, term)) : node.country === run.country;
  });
  const nodes = found.map(({ node }) => node);
  const held = new Map<TermNode, Set<Edited>>();
  for (const edited of editedTexts(word)) {
    for (const term of termsOfText(edited.text)) {
      const node = nodes[firstIndex(nodes.length, (at) => compareIds(nodes[at]?.last_term ?? "", term) >= 0)];
      if (!node || compareIds(node.first_term, term) > 0) continue;
      const texts = held.get(node) ?? new Set();
      held.set(node, texts.add(edited));
    }
  }
  return Array.from(held, ([node, texts]) => ({ uncertainWord, node, texts }));
}

interface Edited {
  readonly text: string;
  /** Its probability among all edits. */
  readonly chance: number;
}

const LATIN = [..."abcdefghijklmnopqrstuvwxyz"];

/** All results of one edit, each kind of edit and each position equally likely. */
function editedTexts(word: string): Edited[] {
  const letters = Array.from(word);
  const alphabet = /^[a-z]+$/.test(word) ? LATIN : [...new Set(letters)];
  const chance = 1 / (4 * (letters.length + 1));
  const texts: Edited[] = [];
  for (let i = 0; i <= letters.length; i++) {
    const [before, own = "", next = "", after] = [
      letters.slice(0, i),
      letters[i],
      letters[i + 1],
      letters.slice(i + 2),
    ];
    const put = (chance: number, ...between: readonly string[]) =>
      texts.push({ text: [...before, ...between, ...after].join(""), chance });
    put(chance, next);
    put(chance, next, own);
    for (const letter of alphabet) {
      put(chance / alphabet.length, letter, next);
      put(chance / alphabet.length, letter, own, next);
    }
  }
  return texts;
}

function pageHolds({ country }: TermRun, { first, last }: PageNode, term: string): boolean {
  const isAfter = !first || first[0] < country || (first[0] === country && compareIds(first[1], term) <= 0);
  const isBefore = !last || last[0] > country || (last[0] === country && compareIds(last[1], term) >= 0);
  return isAfter && isBefore;
}
