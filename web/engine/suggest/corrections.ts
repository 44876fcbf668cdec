/**
 * What a misspelt word may have been meant as: terms that the dataset has and that nearly are it. Terms stand in order, so most
 * mistakes lead to a neighbour; those of the first letters lead to slices that are read as far as there are bytes for them.
 * @module
 */
import { termsOf } from "../../../data/format/fold.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { ALL_COUNTRIES, isPage, type PageNode, type TermNode } from "../../../data/format/manifest.ts";
import type { Postings } from "../../../data/format/postings.ts";
import { firstIndex } from "../../../data/format/sorted.ts";
import { allNames, BY_ENDS, endTerm, MISSPELT_FROM, wordOfEnd } from "../../../data/format/terms.ts";
import { findPartitions, leavesOf, partitionOf } from "../index-tree/tree.ts";
import { readNumbered } from "../store/numbered-rows.ts";
import type { Session } from "../store/session.ts";
import { baseOf, intersected, numbersOfPlace, type RowNumbers, unreadBytes } from "../terms/posting-lists.ts";
import { placeOf, placeOfTerm, type TermPlace, type TermRun } from "../terms/term-index.ts";
import type { Point } from "./scope.ts";
import { hasWords, type Names } from "./suggestion.ts";

/** Slices that are not in memory are read up to so many bytes: of divisions, and of places and streets of all the countries together. */
const DIVISION_BYTES = 36 * 1024;
const LOCAL_BYTES = 24 * 1024;
/** Who looks at no place means a town. */
const DIVISION_ALONE_BYTES = 44 * 1024;

/** Rows that have all other words: of so few the names are read, which tell what the wrong one was meant as. */
const FEW_ROWS = 8;

/** Meanings that are looked up: each takes about a slice of suggestions. */
const MOST_CORRECTIONS = 3;

/** Words of a text that are looked at in a run. */
const MOST_WORDS = 3;

/** Divisions have no longer names than that. */
const MOST_DIVISION_WORDS = 6;

const NAME = "name:";

export interface Correction {
  /** Those of the text, one of them changed. */
  readonly words: readonly string[];
  readonly edits: number;
}

interface Near {
  readonly term: string;
  readonly index: number;
  readonly edits: number;
  /** Whether letters were left out or swapped: of few terms a given word comes so, of very many by one that was changed or put in. */
  readonly isLikely: boolean;
  readonly isSameStart: boolean;
  /** Rows that have it and the other words, as far as that is known. */
  readonly rows: number;
}

export interface MisspeltQuery {
  readonly words: readonly string[];
  readonly countries: readonly string[];
  readonly near?: Point | undefined;
}

/** A word of the text in a run, where it may be wrong. */
interface Doubt {
  readonly run: TermRun;
  readonly word: string;
  readonly index: number;
  /** The rows that have all other words; undefined where that is not known, or there are no others. */
  readonly others: RowNumbers | undefined;
}

/** The text with one word changed, the likeliest first: where there are other words, such as stand beside those in a row. */
export async function corrections(session: Session, { words, countries, near }: MisspeltQuery): Promise<Correction[]> {
  const run = (collection: TermRun["collection"], country: string): TermRun => ({
    ...{ session, collection, run: "term", country },
  });
  const local = countries.flatMap((country) => [run("place", country), run("segment", country)]);
  const divisions = words.length > MOST_DIVISION_WORDS ? [] : [run("division", ALL_COUNTRIES)];
  const [ofDivisions, others] = await Promise.all([
    nearTerms(divisions, words, near ? DIVISION_BYTES : DIVISION_ALONE_BYTES),
    nearTerms(local, words, near ? LOCAL_BYTES : 0),
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

async function nearTerms(runs: readonly TermRun[], words: readonly string[], maxBytes: number): Promise<Near[]> {
  let left = maxBytes;
  const spend = (bytes: number): boolean => {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  const doubts = (await Promise.all(runs.map((run) => doubtsOf(run, words, spend)))).flat();
  const told = await Promise.all(doubts.map((doubt) => termsOfFew(doubt, words)));
  if (told.some((found) => found.length > 0)) return told.flat();
  const near = new Map<string, Near>();
  for (const { doubt, postings } of await slicesLike(doubts, spend)) {
    const { run, word, index, others } = doubt;
    const base = baseOf(run);
    for (const { place, term, edits } of termsLike(postings, word)) {
      // it may stand by its beginning and by its end
      const key = `${doubts.indexOf(doubt)} ${term}`;
      if (near.has(key)) continue;
      const count = () => rowsOfBoth(postings.numbersAt(place), base, others ?? new Float64Array());
      const rows = others ? count() : words.length > 1 ? 0 : (postings.counts[place] ?? 0);
      near.set(key, { term, index, edits, ...likenessOf(term, word), rows });
    }
  }
  return [...near.values()];
}

/** Which of the words may be wrong: the one that no row has, or any where each is known. Where several are unknown more than one is wrong. */
async function doubtsOf(
  run: TermRun,
  words: readonly string[],
  spend: (bytes: number) => boolean,
): Promise<readonly Doubt[]> {
  const [only] = words;
  if (words.length === 1 && only) return [{ run, word: only, index: 0, others: undefined }];
  const isShort = (word = "") => word.length < MISSPELT_FROM;
  const places = await Promise.all(
    words.map((word) => {
      const term = NAME + word;
      // what begins with so few letters is spread over many slices
      return isShort(word) ? placeOf(run, { first: term, last: term }) : placeOfTerm(run, term);
    }),
  );
  const paid = new Set<string>();
  const isHad = (place: TermPlace): boolean => {
    const unpaid = place.partitions.filter(({ sha256 }) => !paid.has(sha256));
    const isPaid = spend(unreadBytes(run, [{ ...place, partitions: unpaid }]));
    if (isPaid) for (const { sha256 } of unpaid) paid.add(sha256);
    return isPaid;
  };
  // the longest word tells the most
  const had = new Set(places.toSorted((a, b) => b.first.length - a.first.length).filter(isHad));
  const lists = await Promise.all(places.map((place) => (had.has(place) ? numbersOfPlace(run, place) : undefined)));
  const unknown = lists.flatMap((list, index) => {
    return list?.length === 0 && !isShort(words[index]) ? [index] : [];
  });
  if (unknown.length > 1) return [];
  const doubts = words.flatMap((word, index): Doubt[] => {
    if (mostEdits(word, word.length + 1) === 0 || (unknown.length > 0 && unknown[0] !== index)) return [];
    const known = lists.filter(
      (list, other): list is RowNumbers =>
        other !== index && list !== undefined && (list.length > 0 || !isShort(words[other])),
    );
    return [{ run, word, index, others: known.length > 0 ? intersected(known) : undefined }];
  });
  // a name that has the others tells which is wrong; one that is known itself is wrong in none but such a name
  const likely = doubts.filter(({ index, others }) => unknown[0] === index || (others && others.length > 0));
  return likely.toSorted((a, b) => b.word.length - a.word.length).slice(0, MOST_WORDS);
}

/** What the word may be in the names of the rows that have all others, where those are few. */
async function termsOfFew({ run, word, index, others }: Doubt, words: readonly string[]): Promise<Near[]> {
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
  readonly place: number;
  readonly term: string;
  readonly edits: number;
}

function termsLike({ terms }: Postings, word: string): TermLike[] {
  return likeOf(
    word,
    terms.map((term) => (term.startsWith(NAME) ? term.slice(NAME.length) : (wordOfEnd(term) ?? ""))),
  );
}

/** Those of the terms that nearly are the word, with their places. */
function likeOf(word: string, terms: readonly string[]): TermLike[] {
  const letters = Array.from(word);
  const own = lettersOf(word);
  return terms.flatMap((term, place) => {
    if (term === "") return [];
    const most = mostEdits(word, term.length);
    // an edit takes one letter away and puts one in
    if (most === 0 || bitsOf(own ^ lettersOf(term)) > 2 * most) return [];
    const edits = editsBetween(letters, Array.from(term), most);
    return edits ? [{ place, term, edits }] : [];
  });
}

/** Which letters it has, 32 kinds of them: a quick look before the slow one. */
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

/** A slice that is less likely to hold the meant word is not read. */
const LEAST_CHANCE = 0.04;

interface Guess {
  readonly doubt: Doubt;
  readonly node: TermNode;
  /** Those of the edited texts that would stand there. */
  readonly texts: ReadonlySet<Edited>;
}

/** Slices that may hold terms like the words: those that are at hand, then what is likeliest for its bytes as far as they go. */
async function slicesLike(doubts: readonly Doubt[], spend: (bytes: number) => boolean) {
  let guesses = (await Promise.all(doubts.map(guessesOf))).flat();
  const [paid, looked] = [new Set<string>(), new Set<Edited>()];
  const isFree = ({ doubt, node }: Guess) => paid.has(node.sha256) || doubt.run.session.isAtHand(node);
  const chanceOf = ({ texts }: Guess) =>
    [...texts].reduce((sum, text) => sum + (looked.has(text) ? 0 : text.chance), 0);
  const chosen: Guess[] = [];
  for (;;) {
    const likely = guesses
      .map((guess) => ({ guess, chance: chanceOf(guess), bytes: isFree(guess) ? 1 : guess.node.bytes }))
      .filter(({ chance }) => chance >= LEAST_CHANCE);
    const [best] = likely.sort((a, b) => b.chance / b.bytes - a.chance / a.bytes);
    if (!best) break;
    const { guess } = best;
    guesses = guesses.filter((other) => other !== guess);
    if (!isFree(guess) && !spend(guess.node.bytes)) continue;
    paid.add(guess.node.sha256);
    chosen.push(guess);
    for (const text of guess.texts) looked.add(text);
  }
  return Promise.all(
    chosen.map(async ({ doubt, node }) => {
      const { session, collection } = doubt.run;
      return { doubt, postings: await session.readPostings({ collection, run: "term", node }) };
    }),
  );
}

/** Where the texts stand that the word may be one edit from, by its beginning and, where terms stand by their ends too, by its end. */
async function guessesOf(doubt: Doubt): Promise<Guess[]> {
  const { run, word } = doubt;
  const hasEnds = BY_ENDS.has(run.collection) && run.country === ALL_COUNTRIES;
  const termsOfText = (text: string) => [NAME + text, ...(hasEnds ? [endTerm(text)] : [])];
  const near = termsOfText(word);
  await findPartitions(run.session, { collection: run.collection, run: "term" }, (node) => {
    return isPage(node) && near.some((term) => pageHolds(run, node, term));
  });
  // pages that were not read lead to what is less likely
  const nodes = leavesOf(run.session, { collection: run.collection, run: "term" }, (node) => {
    return isPage(node) || isOf(run, node);
  }).flatMap((leaf) => partitionOf(leaf)?.node ?? []);
  const held = new Map<TermNode, Set<Edited>>();
  for (const edited of editedTexts(word)) {
    for (const term of termsOfText(edited.text)) {
      const node = nodes[firstIndex(nodes.length, (at) => compareIds(nodes[at]?.last_term ?? "", term) >= 0)];
      if (!node || compareIds(node.first_term, term) > 0) continue;
      const texts = held.get(node) ?? new Set();
      held.set(node, texts.add(edited));
    }
  }
  return Array.from(held, ([node, texts]) => ({ doubt, node, texts }));
}

interface Edited {
  readonly text: string;
  /** How likely it is meant, among all. */
  readonly chance: number;
}

const LATIN = [..."abcdefghijklmnopqrstuvwxyz"];

/** What one edit makes of the word, each kind of edit and each place as likely. */
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

function isOf({ country }: TermRun, node: { readonly country: string }): node is TermNode {
  return node.country === country && "first_term" in node;
}

function pageHolds({ country }: TermRun, { first, last }: PageNode, term: string): boolean {
  const isAfter = !first || first[0] < country || (first[0] === country && compareIds(first[1], term) <= 0);
  const isBefore = !last || last[0] > country || (last[0] === country && compareIds(last[1], term) >= 0);
  return isAfter && isBefore;
}

/** Letters from which on two are taken to be wrong. Of words shorter than those that may have one nearly every other is near. */
const TWO_FROM = 8;

/** So many letters of the word may be wrong where the term is meant: the longer of the two tells; none of a number. */
function mostEdits(word: string, termLength: number): number {
  if (/\p{N}/u.test(word)) return 0;
  const longest = Math.max(word.length, termLength);
  const most = longest < MISSPELT_FROM ? 0 : longest < TWO_FROM ? 1 : 2;
  return Math.abs(word.length - termLength) > most ? 0 : most;
}

/**
 * Letters to leave out, put in, change, or swap with their neighbour to make one word of the other; undefined where it takes more than `most`.
 * @see https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance#Optimal_string_alignment_distance
 */
function editsBetween(from: readonly string[], to: readonly string[], most: number): number | undefined {
  if (Math.abs(from.length - to.length) > most) return undefined;
  let [before, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwapped) edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    if (Math.min(...row) > most) return undefined;
    [before, last] = [last, row];
  }
  const edits = last[to.length] ?? 0;
  return edits <= most ? edits : undefined;
}
