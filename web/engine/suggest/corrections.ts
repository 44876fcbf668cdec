/**
 * What a misspelt word may have been meant as: terms that the dataset has and that nearly are it. Terms stand in order, so most
 * mistakes lead to a neighbour; those of the first letters lead to slices that are read as far as there are bytes for them.
 * @module
 */
import { compareIds } from "../../../data/format/ids.ts";
import { ALL_COUNTRIES, isPage, type PageNode, type TermNode } from "../../../data/format/manifest.ts";
import type { Postings } from "../../../data/format/postings.ts";
import { findPartitions, leavesOf, partitionOf } from "../index-tree/tree.ts";
import type { Session } from "../store/session.ts";
import type { TermRun } from "../terms/term-index.ts";

/** Terms that are not in memory are read up to so many bytes: of divisions, and of places and streets of all the countries together. */
const DIVISION_BYTES = 48 * 1024;
const LOCAL_BYTES = 24 * 1024;

/** Meanings that are looked up: each takes about a slice of suggestions. */
const MOST_CORRECTIONS = 3;

/** Words of a text that are looked at; a person who gets more wrong gets no answer. */
const MOST_WORDS = 3;

const NAME = "name:";
const LAST = "\u{10ffff}";

export interface Correction {
  /** Those of the text, one of them changed. */
  readonly words: readonly string[];
  readonly edits: number;
}

interface Near {
  readonly term: string;
  readonly edits: number;
  /** Names that have it. */
  readonly rows: number;
}

export interface MisspeltQuery {
  readonly words: readonly string[];
  readonly countries: readonly string[];
}

/** The text with one word changed, the likeliest first. A word that begins a term is none that is misspelt, where another may be. */
export async function corrections(session: Session, { words, countries }: MisspeltQuery): Promise<Correction[]> {
  const looked = await Promise.all(
    words.slice(0, MOST_WORDS).map(async (word, index) => {
      const most = mostEdits(word);
      if (most === 0) return [];
      const near = await nearTerms(session, { word, most, countries });
      if (words.length > 1 && near.isKnown) return [];
      return near.terms.map((each) => ({ ...each, index, isSameStart: each.term[0] === word[0] }));
    }),
  );
  const all = looked
    .flat()
    .sort((a, b) => a.edits - b.edits || Number(b.isSameStart) - Number(a.isSameStart) || b.rows - a.rows);
  return all.slice(0, MOST_CORRECTIONS).map(({ term, edits, index }) => {
    return { words: words.map((word, place) => (place === index ? term : word)), edits };
  });
}

interface WordQuery {
  readonly word: string;
  readonly most: number;
  readonly countries: readonly string[];
}

async function nearTerms(session: Session, { word, most, countries }: WordQuery) {
  const run = (collection: TermRun["collection"], country: string): TermRun => ({
    ...{ session, collection, run: "term", country },
  });
  const local = countries.flatMap((country) => [run("place", country), run("segment", country)]);
  const [divisions, others] = await Promise.all([
    readTermsLike([run("division", ALL_COUNTRIES)], word, DIVISION_BYTES),
    readTermsLike(local, word, LOCAL_BYTES),
  ]);
  const terms = new Map<string, Near>();
  let isKnown = false;
  for (const { terms: texts, counts } of [...divisions, ...others]) {
    for (const [place, text] of texts.entries()) {
      if (!text.startsWith(NAME)) continue;
      const term = text.slice(NAME.length);
      if (term.startsWith(word)) isKnown = true;
      const edits = editsBetween(word, term, most);
      if (!edits) continue;
      const rows = (counts[place] ?? 0) + (terms.get(term)?.rows ?? 0);
      terms.set(term, { term, edits, rows });
    }
  }
  return { isKnown, terms: [...terms.values()] };
}

/** The slices that may hold terms like the word, the likeliest first as far as the bytes go. */
async function readTermsLike(runs: readonly TermRun[], word: string, maxBytes: number): Promise<Postings[]> {
  const nodes = await Promise.all(runs.map((run) => nodesLike(run, word)));
  const chosen = new Map<string, { readonly run: TermRun; readonly node: TermNode }>();
  let left = maxBytes;
  for (const { run, node } of inTurns(runs, nodes)) {
    const bytes = run.session.isAtHand(node) ? 0 : node.bytes;
    if (chosen.has(node.sha256) || bytes > left) continue;
    left -= bytes;
    chosen.set(node.sha256, { run, node });
  }
  return Promise.all(
    [...chosen.values()].map(({ run: { session, collection }, node }) =>
      session.readPostings({ collection, run: "term", node }),
    ),
  );
}

/** The first of each run, then the second of each. */
function inTurns(runs: readonly TermRun[], nodes: readonly (readonly TermNode[])[]) {
  const longest = Math.max(0, ...nodes.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) =>
    runs.flatMap((run, index) => {
      const node = nodes[index]?.[turn];
      return node ? [{ run, node }] : [];
    }),
  ).flat();
}

async function nodesLike(run: TermRun, word: string): Promise<TermNode[]> {
  const ends = likelyTexts(word);
  const near = await findPartitions(run.session, { collection: run.collection, run: "term" }, (node) => {
    if (!isPage(node)) return isOf(run, node) && ends.some((text) => holds(node, text, text));
    return ends.some((text) => pageHolds(run, node, NAME + text));
  });
  const nodes = near.map(({ node }) => node);
  const inOrder = ends.flatMap((text) => nodes.filter((node) => holds(node, text, text)));
  // wrong letters before the end: all that begin as it does, as far as the known index tells
  const letters = Array.from(word);
  const beginnings = [3, 2, 1, 0].map((size) => letters.slice(0, size).join(""));
  const known = leavesOf(run.session, { collection: run.collection, run: "term" }, (node) => {
    return isPage(node) || isOf(run, node);
  }).flatMap((leaf) => partitionOf(leaf)?.node ?? []);
  const wide = beginnings.flatMap((beginning) => known.filter((node) => holds(node, beginning, beginning + LAST)));
  return [...inOrder, ...wide];
}

/** The word, and what it is without a letter or with two swapped: where those stand the meant one may. */
function likelyTexts(word: string): string[] {
  const letters = Array.from(word);
  const texts = new Set([word]);
  for (let i = letters.length - 1; i >= 0; i--) {
    const [own = "", next = ""] = letters.slice(i, i + 2);
    texts.add([...letters.slice(0, i), ...letters.slice(i + 1)].join(""));
    texts.add([...letters.slice(0, i), next, own, ...letters.slice(i + 2)].join(""));
  }
  return [...texts];
}

function isOf({ country }: TermRun, node: { readonly country: string }): node is TermNode {
  return node.country === country && "first_term" in node;
}

function holds({ first_term, last_term }: TermNode, first: string, last: string): boolean {
  return compareIds(first_term, NAME + last) <= 0 && compareIds(last_term, NAME + first) >= 0;
}

function pageHolds({ country }: TermRun, { first, last }: PageNode, term: string): boolean {
  const isAfter = !first || first[0] < country || (first[0] === country && compareIds(first[1], term) <= 0);
  const isBefore = !last || last[0] > country || (last[0] === country && compareIds(last[1], term) >= 0);
  return isAfter && isBefore;
}

/** Letters from which on one is taken to be wrong, and two. Of shorter words nearly every other is near. */
const ONE_FROM = 4;
const TWO_FROM = 8;

/** So many letters of the word may be wrong; none of a number. */
function mostEdits(word: string): number {
  const { length } = Array.from(word);
  if (length < ONE_FROM || /\p{N}/u.test(word)) return 0;
  return length < TWO_FROM ? 1 : 2;
}

/**
 * Letters to leave out, put in, change, or swap with their neighbour to make one word of the other; undefined where it takes more than `most`.
 * @see https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance#Optimal_string_alignment_distance
 */
function editsBetween(a: string, b: string, most: number): number | undefined {
  const [from, to] = [Array.from(a), Array.from(b)];
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
