/**
 * Finds categories of places by what people want to do: *toothache* is a dentist. Each language has a list of phrases
 * per category. A text need not be one of them: its words are weighed by how few categories have them.
 * @module
 */
import { queryTermsOf, wordsOf } from "../../../data/format/fold.ts";
import { type CategoryWords, stemOf } from "./category-names.ts";
import { editsBetween, mostEdits } from "./edits.ts";

/** A file of phrases in one language. */
export interface IntentWords {
  readonly source: string;
  /** Words that no intent depends on, with a space between them. */
  readonly stop: string;
  /** Lists of phrases with commas between them. The keys are categories with spaces between them, the most likely one first. */
  readonly phrases: Readonly<Record<string, string>>;
}

interface FoundIntent {
  readonly id: string;
  /** 1 if the text is a phrase of the category; lower the more words are missing. */
  readonly score: number;
  readonly phrase: string;
  /** Words of the text that the category does not explain, folded. */
  readonly unused: readonly string[];
}

export interface Intents {
  /** Returns the categories that the words mean, best first. */
  find(words: readonly string[]): readonly FoundIntent[];
  /** Whether the word is so common that it says nothing about a category. */
  isStop(word: string): boolean;
}

/** Less than this share of the text is a coincidence. */
const LEAST_SCORE = 0.25;
/** A text with more words is not an intent; the bound limits the time. */
const MOST_WORDS = 12;
/** Matches of words that are similar. */
const SAME_STEM = 0.95;
const SAME_START = 0.8;
const MISSPELT = 0.75;
const COMPOUND = 0.7;
const START_LETTERS = 4;
const START_SHARE = 0.6;
/** The part of a phrase that the text has counts less than the part of the text that the phrase has. */
const OF_PHRASE = 0.3;
/** Words of the category's other phrases. */
const OF_OTHERS = 0.5;
/** Names are related words, not what people want to do. */
const OF_NAME = 0.85;
/** A list of categories starts with the most likely one. */
const NEXT = 0.8;
/** An unknown word is not as rare as the word of one category. */
const UNKNOWN = 0.3;
const HIRAGANA = 0.35;

interface Entry {
  readonly ids: readonly string[];
  readonly phrases: readonly Phrase[];
  readonly tokens: ReadonlySet<number>;
}

interface Phrase {
  readonly text: string;
  readonly tokens: readonly number[];
  readonly weight: number;
  readonly factor: number;
}

/** A word of the text, and the known words that are similar. */
interface Asked {
  readonly text: string;
  readonly weight: number;
  readonly near: ReadonlyMap<number, number>;
}

/** Prepares the lists of some languages, together with category names in these languages. */
export function createIntents(lists: readonly IntentWords[], names: readonly CategoryWords[]): Intents {
  const stop = new Set(lists.flatMap((list) => queryTermsOf(list.stop)));
  const numbers = new Map<string, number>();
  const having: number[] = [];
  const numberOf = (token: string): number => {
    const known = numbers.get(token);
    if (known !== undefined) return known;
    numbers.set(token, having.length);
    having.push(0);
    return having.length - 1;
  };
  const drafts = [...textsOf(lists, names)].map(([key, texts]) => {
    const phrases = texts.map(({ text, factor }) => {
      const tokens = [...new Set(tokensOf(queryTermsOf(text), stop).map(numberOf))];
      return { text, tokens, factor };
    });
    const tokens = new Set(phrases.flatMap((phrase) => phrase.tokens));
    for (const token of tokens) having[token] = (having[token] ?? 0) + 1;
    return { ids: key.split(" "), phrases, tokens };
  });
  const vocabulary = [...numbers].map(([text, number]) => ({ text, number, stem: stemOf(text), kind: kindOf(text) }));
  const weights = vocabulary.map(({ kind, number }) => {
    return Math.log(1 + drafts.length / (having[number] ?? 1)) * (kind === "hiragana" ? HIRAGANA : 1);
  });
  const unknown = Math.log(1 + drafts.length) * UNKNOWN;
  const weightOf = (number: number) => weights[number] ?? 0;
  const entries: Entry[] = drafts.map(({ phrases, ...entry }) => ({
    ...entry,
    phrases: phrases.map((phrase) => ({
      ...phrase,
      weight: phrase.tokens.reduce((sum, token) => sum + weightOf(token), 0),
    })),
  }));
  const entriesOf = new Map<number, Entry[]>();
  for (const entry of entries)
    for (const token of entry.tokens) entriesOf.set(token, [...(entriesOf.get(token) ?? []), entry]);

  function askedFor(text: string): Asked[] {
    const kind = kindOf(text);
    const near = new Map<number, number>();
    const exact = numbers.get(text);
    if (exact !== undefined) near.set(exact, 1);
    else if (kind === "letters") {
      const stem = stemOf(text);
      for (const { text: known, number, stem: other, kind: sort } of vocabulary) {
        const fit = sort === "letters" ? likeness(text, stem, known, other) : 0;
        if (fit > 0) near.set(number, fit);
      }
    }
    if (kind !== "letters") return near.size === 0 ? [] : [{ text, near, weight: weightOf(exact ?? -1) }];
    const weight = Math.max(0, ...[...near].map(([number, fit]) => weightOf(number) * fit));
    return [{ text, near, weight: near.size === 0 ? unknown : weight }];
  }

  function find(words: readonly string[]): readonly FoundIntent[] {
    const tokens = tokensOf(words.slice(0, MOST_WORDS), stop);
    const asked = [...new Set(tokens)].flatMap(askedFor);
    const total = asked.reduce((sum, { weight }) => sum + weight, 0);
    if (total === 0) return [];
    const candidates = new Set(
      asked.flatMap(({ near }) => [...near.keys()].flatMap((one) => entriesOf.get(one) ?? [])),
    );
    const best = new Map<string, FoundIntent>();
    for (const entry of candidates) {
      const found = scoreOf(entry, asked, total);
      if (found.score < LEAST_SCORE) continue;
      const unused = unusedOf(words, entry, asked);
      for (const [index, id] of entry.ids.entries()) {
        const score = found.score * NEXT ** index;
        if (score > (best.get(id)?.score ?? 0)) best.set(id, { id, score, phrase: found.phrase, unused });
      }
    }
    return [...best.values()].sort((a, b) => b.score - a.score || a.id.length - b.id.length || (a.id < b.id ? -1 : 1));
  }

  function scoreOf(entry: Entry, asked: readonly Asked[], total: number) {
    let best = { score: 0, phrase: "" };
    let covered = 0;
    for (const { near, weight } of asked) {
      let most = 0;
      for (const [number, fit] of near) if (fit > most && entry.tokens.has(number)) most = fit;
      covered += most * weight;
    }
    for (const { text, tokens, weight, factor } of entry.phrases) {
      let own = 0;
      let used = 0;
      for (const one of asked) {
        let most = 0;
        for (const token of tokens) most = Math.max(most, one.near.get(token) ?? 0);
        own += most * one.weight;
      }
      if (own === 0) continue;
      for (const token of tokens) {
        let most = 0;
        for (const { near } of asked) most = Math.max(most, near.get(token) ?? 0);
        used += most * weightOf(token);
      }
      const share = (own + OF_OTHERS * (covered - own)) / total;
      const score = share * (1 - OF_PHRASE + (OF_PHRASE * used) / weight) * factor;
      if (score > best.score) best = { score, phrase: text };
    }
    return best;
  }

  function unusedOf(words: readonly string[], entry: Entry, asked: readonly Asked[]): string[] {
    const used = new Set(
      asked.filter(({ near }) => [...near.keys()].some((number) => entry.tokens.has(number))).map(({ text }) => text),
    );
    const isUsed = (word: string) => stop.has(word) || tokensOf([word], stop).some((token) => used.has(token));
    return words.filter((word) => !isUsed(word));
  }

  return { find, isStop: (word) => stop.has(word) };
}

interface Text {
  readonly text: string;
  readonly factor: number;
}

/** The phrases and names by the categories that they mean. */
function textsOf(lists: readonly IntentWords[], names: readonly CategoryWords[]): Map<string, Text[]> {
  const texts = new Map<string, Text[]>();
  const add = (key: string, more: readonly Text[]) => texts.set(key, [...(texts.get(key) ?? []), ...more]);
  for (const { phrases } of lists)
    for (const [key, list] of Object.entries(phrases))
      add(
        key,
        list.split(", ").map((text) => ({ text, factor: 1 })),
      );
  const keyOf = new Map([...texts.keys()].reverse().map((key) => [key.split(" ")[0] ?? key, key]));
  for (const table of names)
    for (const [id, called] of Object.entries(table))
      add(
        keyOf.get(id) ?? id,
        called.map((text) => ({ text, factor: OF_NAME })),
      );
  return texts;
}

type Kind = "letters" | "hiragana" | "unspaced";

const HIRAGANA_ONLY = /^[\p{Script=Hiragana}ー]+$/u;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ー]/u;

function kindOf(token: string): Kind {
  if (HIRAGANA_ONLY.test(token)) return "hiragana";
  return UNSPACED.test(token) ? "unspaced" : "letters";
}

/** Runs of one script within a text without spaces. */
const RUNS = /\p{Script=Han}+|[\p{Script=Katakana}ー]+|\p{Script=Hiragana}+/gu;

/** Words without those that no intent depends on. Text without spaces gives characters and pairs of them. */
function tokensOf(words: readonly string[], stop: ReadonlySet<string>): string[] {
  return words
    .flatMap((word) => wordsOf(word))
    .flatMap(({ text, isUnspaced }) => {
      if (!isUnspaced) return [text];
      const runs = text.match(RUNS) ?? [];
      return [
        ...runs.flatMap(tokensOfRun),
        ...pairsOf(text).filter((pair) => /^\p{Script=Han}\p{Script=Hiragana}/u.test(pair)),
      ];
    })
    .filter((token) => !stop.has(token));
}

function tokensOfRun(run: string): string[] {
  if (/^\p{Script=Han}/u.test(run)) return [...Array.from(run), ...pairsOf(run)];
  return /^[\p{Script=Katakana}ー]/u.test(run) ? [run] : pairsOf(run);
}

function pairsOf(text: string): string[] {
  const characters = Array.from(text);
  return characters.slice(1).map((second, index) => `${characters[index]}${second}`);
}

/** How similar two words are, from 0 to 1. */
function likeness(word: string, stem: string, known: string, other: string): number {
  if (stem === other) return SAME_STEM;
  const longest = Math.max(word.length, known.length);
  const shortest = Math.min(word.length, known.length);
  if (shortest < START_LETTERS) return 0;
  let same = 0;
  while (same < shortest && word[same] === known[same]) same++;
  if (same >= START_LETTERS && same >= START_SHARE * longest) return SAME_START;
  if (word[0] === known[0]) {
    const most = mostEdits(word, known.length);
    if (most > 0 && editsBetween(Array.from(word), Array.from(known), most) !== undefined) return MISSPELT;
  }
  if (word.startsWith(known) || known.startsWith(word)) return COMPOUND;
  return word.endsWith(known) || known.endsWith(word) ? COMPOUND : 0;
}
