/**
 * Loads the names of categories and what people want to do there, in the languages that a text may be in.
 * @module
 */
import { queryTermsOf } from "../../../data/format/fold.ts";
import { languagesOf } from "../../../data/format/languages.ts";
import { FetchError } from "../contract/errors.ts";
import { createMemo } from "../tasks/memo.ts";
import type { CategoryWords } from "./category-names.ts";
import { createIntents, type Intents, type IntentWords } from "./intents.ts";
import { categoryRows, type RankedCategory, rankCategories } from "./suggest-categories.ts";

export interface MeaningOptions {
  /**
   * Loads category names in a language (a code without a region); undefined if unknown. Called with the language of a
   * text.
   */
  readonly categoryWords?: ((language: string) => Promise<CategoryWords | undefined>) | undefined;
  /** Loads what people want to do in places of each category, in a language; undefined if unknown. */
  readonly intentWords?: ((language: string) => Promise<IntentWords | undefined>) | undefined;
}

export interface Meanings {
  readonly categoryWords: readonly CategoryWords[];
  readonly intents: Intents | undefined;
}

export interface CategoryQuery {
  readonly text: string;
  /** Language of the text. The other languages of its script are tried after it. */
  readonly language?: string | undefined;
  /** The categories to choose from, and their numbers of places. */
  readonly categories: readonly { readonly id: string; readonly rows: number }[];
}

interface Loading {
  readonly signal?: AbortSignal | undefined;
  /** Called when a list cannot be loaded. If it is given, the answer may be incomplete. */
  readonly onMissing?: (() => void) | undefined;
  /** Whether intents are needed; default: true. */
  readonly hasIntents?: boolean;
}

/** Returns the language without its region; English by default. */
export function ownLanguage(language = "en"): string {
  return language.split("-")[0] ?? language;
}

/** Returns the language of the user and all others of the text's script; undefined if there are no others. */
export function allLanguages(text: string, language: string | undefined): readonly string[] | undefined {
  const own = ownLanguage(language);
  const others = languagesOf(text).filter((each) => each !== own);
  return others.length === 0 ? undefined : [own, ...others];
}

interface Prepared {
  readonly lists: readonly IntentWords[];
  readonly names: readonly CategoryWords[];
  readonly intents: Intents;
}

/** Intents by the first of their lists, so that datasets with the same lists share them. */
const prepared = new WeakMap<IntentWords, Prepared[]>();

/** Returns the intents of the lists; undefined without lists. */
function sharedIntents(lists: readonly IntentWords[], names: readonly CategoryWords[]): Intents | undefined {
  const [first] = lists;
  if (!first) return undefined;
  const earlier = prepared.get(first) ?? [];
  const known = earlier.find((each) => isSame(each.lists, lists) && isSame(each.names, names));
  if (known) return known.intents;
  const intents = createIntents(lists, names);
  prepared.set(first, [...earlier, { lists, names, intents }]);
  return intents;
}

function isSame<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** Returns a function that loads the lists of some languages, each once. */
export function meaningLoader({ categoryWords, intentWords }: MeaningOptions) {
  const words = createMemo<CategoryWords | undefined>();
  const lists = createMemo<IntentWords | undefined>();
  const meanings = createMemo<Meanings>();

  async function orMissing<T>(load: Promise<T | undefined>, { onMissing, signal }: Loading): Promise<T | undefined> {
    try {
      return await load;
    } catch (error) {
      if (!onMissing || !(error instanceof FetchError) || signal?.aborted) throw error;
      onMissing();
      return undefined;
    }
  }

  return async (languages: readonly string[], loading: Loading): Promise<Meanings> => {
    const { signal, hasIntents = true } = loading;
    const loaded = await Promise.all(
      languages.map(async (language) => {
        const [named, list] = await Promise.all([
          orMissing(
            words.get(language, async () => categoryWords?.(language), signal),
            loading,
          ),
          hasIntents
            ? orMissing(
                lists.get(language, async () => intentWords?.(language), signal),
                loading,
              )
            : undefined,
        ]);
        return { language, named, list };
      }),
    );
    const tables = loaded.flatMap(({ named }) => (named ? [named] : []));
    const found = loaded.flatMap(({ list }) => (list ? [list] : []));
    // made again when a list was missing
    const key = loaded.map(({ language, named, list }) => `${language}${named ? 1 : 0}${list ? 1 : 0}`).join(" ");
    return meanings.get(key, async () => ({ categoryWords: tables, intents: sharedIntents(found, tables) }));
  };
}

/**
 * Returns those of the categories that the text means, best first. If the user's language has no match, all languages of the
 * text's script are tried.
 */
export async function categoriesMeant(
  load: ReturnType<typeof meaningLoader>,
  { text, language, categories }: CategoryQuery,
  signal: AbortSignal | undefined,
): Promise<readonly RankedCategory[]> {
  const typed = queryTermsOf(text);
  if (typed.length === 0) return [];
  const rankIn = async (languages: readonly string[]) => {
    const { categoryWords, intents } = await load(languages, { signal });
    const known = categories.map(({ id, rows }) => categoryRows(id, categoryWords, rows));
    return rankCategories(known, typed, intents);
  };
  const own = await rankIn([ownLanguage(language)]);
  const languages = own.some(({ unused }) => unused.length === 0) ? undefined : allLanguages(text, language);
  return languages ? rankIn(languages) : own;
}
