/**
 * Compares a text with the names of a category: its own name is better than a related word, and a whole name is better
 * than a part.
 * @module
 */
import { foldText, termsOf, wordsOf } from "../../../data/format/fold.ts";
import type { Match } from "./suggestion.ts";

/** Category names in a language, by id. The first one is shown; the others are related words. */
export type CategoryWords = Readonly<Record<string, readonly string[]>>;

export interface CategoryNames {
  /** The category's id as words, and its first name in each language. */
  readonly own: readonly [string, ...string[]];
  /** The category's own names, and related words. */
  readonly names: readonly string[];
  /** The names in the same order, ready to be compared. */
  readonly compiled: readonly CompiledName[];
  /** The terms of all names, each between two line breaks. */
  readonly terms: string;
}

interface CompiledName {
  readonly name: string;
  readonly known: Compiled;
  readonly ranks: Ranks;
}

export interface NameMatch {
  /** Lower is better. */
  readonly rank: number;
  readonly match: Match;
  readonly name: string;
}

/** Ranks of matches. */
const OF_ID = 0;
const OWN = 1;
/** All words but those that many categories have, such as *restaurant*. */
const OWN_PART = 2;
const RELATED = 3;
const RELATED_PART = 4;
/** Ranks up to this one are a name of the category. */
export const EXACT_RANK = RELATED_PART;
const OWN_WORDS = 6;
const RELATED_WORDS = 7;
const OWN_PREFIX = 8;
const RELATED_PREFIX = 9;

/** Returns `fast_food_restaurant` as words. */
export function wordsOfCategory(id: string): string {
  return id.replaceAll("_", " ");
}

const namesByTables = new WeakMap<readonly CategoryWords[], Map<string, CategoryNames>>();

/** Returns the names of a category in some languages. In English the first name is the id, so the second counts too. */
export function namesOfCategory(id: string, tables: readonly CategoryWords[]): CategoryNames {
  const known = namesByTables.get(tables) ?? new Map<string, CategoryNames>();
  namesByTables.set(tables, known);
  const called = known.get(id) ?? readNames(id, tables);
  known.set(id, called);
  return called;
}

function readNames(id: string, tables: readonly CategoryWords[]): CategoryNames {
  const words = wordsOfCategory(id);
  const own: [string, ...string[]] = [words];
  const related: string[] = [];
  for (const table of tables) {
    const [first, second, ...others] = table[id] ?? [];
    if (first === undefined) continue;
    own.push(first);
    if (second !== undefined) (first === words ? own : related).push(second);
    related.push(...others);
  }
  const compiled = [
    ...own.map((name, index) => ({ name, known: compileOnce(name), ranks: index === 0 ? ID_RANKS : OWN_RANKS })),
    ...related.map((name) => ({ name, known: compileOnce(name), ranks: RELATED_RANKS })),
  ];
  const terms = new Set(compiled.flatMap(({ known }) => known.terms));
  return { own, names: [...own, ...related], compiled, terms: ["", ...terms, ""].join("\n") };
}

/** Returns a test whether a category has a name with this word; unless `isWhole`, also with a word that starts with it. */
export function isCalled(word: string, { isWhole }: { readonly isWhole: boolean }): (called: CategoryNames) => boolean {
  const wanted = isWhole ? `\n${word}\n` : `\n${word}`;
  return ({ terms }) => terms.includes(wanted);
}

/** Prepares the words of a text, so that they can be compared with many names quickly. */
export function typedWords(words: readonly string[]): TypedWords {
  return { words, whole: compile(words.join(" ")) };
}

/** Returns the best match of the words with one of the category's names; undefined if no name matches. */
export function bestName({ compiled }: CategoryNames, { words, whole }: TypedWords): NameMatch | undefined {
  let best: NameMatch | undefined;
  for (const { name, known, ranks } of compiled) {
    const found = exactRank(known, whole, ranks) ?? partialRank(known, words, ranks);
    if (found && (!best || found.rank < best.rank)) best = { ...found, name };
  }
  return best;
}

interface Ranks {
  readonly whole: number;
  readonly part: number;
  readonly words: number;
  readonly prefix: number;
}

const ID_RANKS: Ranks = { whole: OF_ID, part: OWN_PART, words: OWN_WORDS, prefix: OWN_PREFIX };
const OWN_RANKS: Ranks = { ...ID_RANKS, whole: OWN };
const RELATED_RANKS: Ranks = { whole: RELATED, part: RELATED_PART, words: RELATED_WORDS, prefix: RELATED_PREFIX };

export interface TypedWords {
  readonly words: readonly string[];
  readonly whole: Compiled;
}

type Rank = Omit<NameMatch, "name">;

function exactRank(known: Compiled, whole: Compiled, ranks: Ranks): Rank | undefined {
  if (known.joined === whole.joined || known.stems === whole.stems) return { rank: ranks.whole, match: "exact" };
  const isPart = whole.content !== "" && known.content === whole.content;
  return isPart ? { rank: ranks.part, match: "exact" } : undefined;
}

function partialRank({ terms }: Compiled, words: readonly string[], ranks: Ranks): Rank | undefined {
  if (!words.every((word) => terms.some((term) => term.startsWith(word)))) return undefined;
  if (words.every((word) => terms.includes(word))) return { rank: ranks.words, match: "words" };
  return { rank: ranks.prefix, match: "prefix" };
}

interface Compiled {
  readonly terms: readonly string[];
  /** Without spaces: *book shop* is *bookshop*. */
  readonly joined: string;
  /** Sorted stems. */
  readonly stems: string;
  /** Stems of the words that few categories have. */
  readonly content: string;
}

/** All names of all languages are fewer. Only names are stored, not what users type. */
const MOST_COMPILED = 30_000;
const cache = new Map<string, Compiled>();

function compileOnce(name: string): Compiled {
  const known = cache.get(name);
  if (known) return known;
  if (cache.size >= MOST_COMPILED) cache.clear();
  const made = compile(name);
  cache.set(name, made);
  return made;
}

function compile(name: string): Compiled {
  const words = wordsOf(name);
  const content = words.flatMap(({ text, isUnspaced }, index) => {
    // at an end it belongs to another part of the text: *hotel de* of *hotel de Paris*
    const isInside = index > 0 && index < words.length - 1;
    if (GENERIC.has(text) || (isInside && BETWEEN.has(text))) return [];
    return isUnspaced ? text.replace(GENERIC_END, "") : stemOf(text);
  });
  return {
    terms: [...termsOf(name)],
    joined: words.map(({ text }) => text).join(""),
    stems: sortedText(words.map(({ text }) => stemOf(text))),
    content: sortedText(content),
  };
}

const sortedText = (words: readonly string[]): string => [...new Set(words)].sort().join(" ");

const wordSet = (text: string): ReadonlySet<string> => new Set(foldText(text).split(/\s+/));

/** Words of many names that do not distinguish them, in the languages of the page. */
const GENERIC = wordSet(
  `restaurant restaurants shop shops store stores service services center centre station agency office salon clinic food
  laden geschäft geschäfte praxis fachgeschäft zentrum handlung magasin boutique cabinet agence
  restaurante restaurantes tienda tiendas centro agencia oficina clínica taller servicio servicios
  ristorante ristoranti negozio negozi agenzia ufficio studio servizio servizi
  loja lojas agência escritório serviço serviços مطعم متجر محل مركز مكتب عيادة
  रेस्टोरेंट दुकान स्टोर सेंटर केंद्र शॉप क्लिनिक`,
);
const BETWEEN = wordSet(
  "the of and für und et de d du des la le les l à au y para di da del della dei e do dos das की का के",
);
/** Ends of names in scripts without spaces. */
const GENERIC_END = /(レストラン|ショップ|センター|料理店|料理屋|専門店|販売店|料理|餐厅|餐馆|商店|中心|店|屋|所|馆)$/u;

/** Shorter rests of words are too ambiguous. */
const MIN_STEM = 3;

/** Returns the stem that singular and plural of most words share, in the page's languages with Latin letters. */
export function stemOf(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  const singular = word.replace(/[sx]$/, "").replace(/en$/, "");
  const stem = singular.replace(/[aeiouy]+$/, "");
  return stem.length >= MIN_STEM ? stem : singular;
}
