/** Loads category names, and what people want to do in places of a category, from separate scripts. @module */
import { loadPart } from "../hosts/browser/parts/index.ts";
import { importCategoryWords, importIntentWords } from "../hosts/category-words/index.ts";

/**
 * Loads the names of categories in a language; undefined if there is no table for the language. Rejects with `PartError` if
 * loading fails.
 */
export const categoryWords = (language: string) => loadPart(() => importCategoryWords(language));
/**
 * Loads what people want to do in places of each category, in a language; undefined if there is no table for the language.
 * Rejects with `PartError` if loading fails.
 */
export const intentWords = (language: string) => loadPart(() => importIntentWords(language));
