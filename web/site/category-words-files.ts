/**
 * Names of categories and what people want to do there, as one file per language. Page worker and service worker fetch those that
 * they need. @module
 */
import { LANGUAGES } from "../../data/format/languages.ts";
import type { Recipe } from "./shipped-files.ts";

export const CATEGORY_WORDS_FILES: readonly Recipe[] = LANGUAGES.flatMap((language) =>
  ["words", "intents"].map((kind) => ({
    key: `${kind}_${language}`,
    name: `assets/${kind}-${language}-[hash].json`,
    inputs: [`web/hosts/category-words/${kind}-${language}.json`],
    version: 1,
    make: async ([table = new Uint8Array()]: readonly Uint8Array[]) =>
      new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(table)))),
  })),
);
