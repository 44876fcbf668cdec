/** Category words, a file per language: page worker and service worker fetch the one they need. @module */
import { LANGUAGES } from "../../data/format/languages.ts";
import type { Recipe } from "./shipped-files.ts";

export const CATEGORY_WORDS_FILES: readonly Recipe[] = LANGUAGES.map((language) => ({
  key: `words_${language}`,
  name: `assets/words-${language}-[hash].json`,
  inputs: [`web/hosts/category-words/words-${language}.json`],
  version: 1,
  make: async ([table = new Uint8Array()]) =>
    new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(table)))),
}));
