/** Names of categories and intents in a language, fetched from the site when a text is searched. @module */
import * as shipped from "virtual:shipped-files";
import { isLanguage, type Language } from "../../../../data/format/languages.ts";
import { type CategoryWords, FetchError, type IntentWords } from "../../../engine/index.ts";

type Files = Readonly<Record<Language, { readonly path: string }>>;

const WORDS: Files = {
  ar: shipped.words_ar,
  de: shipped.words_de,
  en: shipped.words_en,
  es: shipped.words_es,
  fr: shipped.words_fr,
  hi: shipped.words_hi,
  it: shipped.words_it,
  ja: shipped.words_ja,
  pt: shipped.words_pt,
  zh: shipped.words_zh,
};

const INTENTS: Files = {
  ar: shipped.intents_ar,
  de: shipped.intents_de,
  en: shipped.intents_en,
  es: shipped.intents_es,
  fr: shipped.intents_fr,
  hi: shipped.intents_hi,
  it: shipped.intents_it,
  ja: shipped.intents_ja,
  pt: shipped.intents_pt,
  zh: shipped.intents_zh,
};

type FetchFile = (request: Request) => Promise<Response>;

/**
 * Returns a function that fetches these tables from the site folder. Throws `FetchError` on failure; undefined for a
 * language without a table.
 */
function tablesOf<T>(files: Files, base: URL, fetchFile: FetchFile) {
  return async (language: string): Promise<T | undefined> => {
    if (!isLanguage(language)) return undefined;
    const { path } = files[language];
    const response = await fetchFile(new Request(new URL(path, base))).catch((cause: unknown) => {
      throw new FetchError(`${path} cannot be fetched`, { path, cause });
    });
    if (!response.ok)
      throw new FetchError(`${path} answered ${response.status}, expected 200`, { path, status: response.status });
    return response.json();
  };
}

/**
 * Returns a function that fetches the names of categories in a language. It returns undefined for a language without a table, and
 * rejects with `FetchError` on failure.
 */
export function categoryWordsOf(base: URL, fetchFile: FetchFile = fetch) {
  return tablesOf<CategoryWords>(WORDS, base, fetchFile);
}

/**
 * Returns a function that fetches what people want to do in places of each category. It returns undefined for a language without
 * a table, and rejects with `FetchError` on failure.
 */
export function intentWordsOf(base: URL, fetchFile: FetchFile = fetch) {
  return tablesOf<IntentWords>(INTENTS, base, fetchFile);
}
