/**
 * Names of categories and what people want to do there, in separate scripts. @module
 */
import { loadPart } from "../hosts/browser/parts/index.ts";
import { importCategoryWords, importIntentWords } from "../hosts/category-words/index.ts";

/** Loads names of categories in a language; undefined for a language without a table. Throws `PartError` if loading fails. */
export const categoryWords = (language: string) => loadPart(() => importCategoryWords(language));
/**
 * Loads what people want to do in places of each category; undefined for a language without a table. Throws `PartError` if
 * loading fails.
 */
export const intentWords = (language: string) => loadPart(() => importIntentWords(language));
