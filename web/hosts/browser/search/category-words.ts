/** What categories of places are called in the page's languages; `web/build/category-words.ts` writes the tables. @module */
import type { CategoryWords } from "../../../engine/index.ts";

const TABLES = import.meta.glob<CategoryWords>("./category-words/words-*.json", { import: "default" });

/** Undefined for a language that has none, and where the table cannot be had: then categories keep their own words. */
export async function categoryWordsIn(language: string | undefined): Promise<CategoryWords | undefined> {
  return TABLES[`./category-words/words-${language}.json`]?.().catch(() => undefined);
}
