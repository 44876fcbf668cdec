/**
 * Names of categories and what people want to do there, in separate scripts. @module
 */
import { loadPart } from "../hosts/browser/parts/index.ts";
import { importCategoryWords, importIntentWords } from "../hosts/category-words/index.ts";

export const categoryWords = (language: string) => loadPart(() => importCategoryWords(language));
export const intentWords = (language: string) => loadPart(() => importIntentWords(language));
