/** Names of categories in a language, fetched from the site when a text is searched. @module */
import * as shipped from "virtual:shipped-files";
import { isLanguage, type Language } from "../../../../data/format/languages.ts";
import { type CategoryWords, FetchError } from "../../../engine/index.ts";

const FILES: Readonly<Record<Language, { readonly path: string }>> = {
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

/**
 * Returns a function that fetches these tables from the site folder. Throws `FetchError` on failure; undefined for a
 * language without a table.
 */
export function categoryWordsOf(base: URL, fetchFile: (request: Request) => Promise<Response> = fetch) {
  return async (language: string): Promise<CategoryWords | undefined> => {
    if (!isLanguage(language)) return undefined;
    const { path } = FILES[language];
    const response = await fetchFile(new Request(new URL(path, base))).catch((cause: unknown) => {
      throw new FetchError(`${path} cannot be fetched`, { path, cause });
    });
    if (!response.ok)
      throw new FetchError(`${path} answered ${response.status}, expected 200`, { path, status: response.status });
    return response.json();
  };
}
