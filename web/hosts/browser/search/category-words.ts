/** What categories of places are called in the page's languages; `web/build/category-words.ts` writes the tables. @module */
import type { CategoryWords } from "../../../engine/index.ts";

const TABLES: Readonly<Record<string, () => Promise<{ readonly default: CategoryWords }>>> = {
  ar: () => import("./category-words/words-ar.json"),
  de: () => import("./category-words/words-de.json"),
  en: () => import("./category-words/words-en.json"),
  es: () => import("./category-words/words-es.json"),
  fr: () => import("./category-words/words-fr.json"),
  ja: () => import("./category-words/words-ja.json"),
};

/** Undefined for a language that has none, and where the table cannot be had: then categories keep their own words. */
export async function categoryWordsIn(language: string | undefined): Promise<CategoryWords | undefined> {
  const table = await TABLES[language ?? ""]?.().catch(() => undefined);
  return table?.default;
}
