/**
 * Names of place categories, and what people want to do there, by language: one script each, loaded when a text in that
 * language is searched.
 * @module
 */
import { isLanguage, type Language } from "../../../data/format/languages.ts";
import type { CategoryWords, IntentWords } from "../../engine/index.ts";

const TABLES: Readonly<Record<Language, () => Promise<{ readonly default: CategoryWords }>>> = {
  ar: () => import("./words-ar.json", { with: { type: "json" } }),
  de: () => import("./words-de.json", { with: { type: "json" } }),
  en: () => import("./words-en.json", { with: { type: "json" } }),
  es: () => import("./words-es.json", { with: { type: "json" } }),
  fr: () => import("./words-fr.json", { with: { type: "json" } }),
  hi: () => import("./words-hi.json", { with: { type: "json" } }),
  it: () => import("./words-it.json", { with: { type: "json" } }),
  ja: () => import("./words-ja.json", { with: { type: "json" } }),
  pt: () => import("./words-pt.json", { with: { type: "json" } }),
  zh: () => import("./words-zh.json", { with: { type: "json" } }),
};

/** Imports the names of categories in a language; undefined for a language without a table. */
export async function importCategoryWords(language: string): Promise<CategoryWords | undefined> {
  return isLanguage(language) ? (await TABLES[language]()).default : undefined;
}

const INTENTS: Readonly<Record<Language, () => Promise<{ readonly default: IntentWords }>>> = {
  ar: () => import("./intents-ar.json", { with: { type: "json" } }),
  de: () => import("./intents-de.json", { with: { type: "json" } }),
  en: () => import("./intents-en.json", { with: { type: "json" } }),
  es: () => import("./intents-es.json", { with: { type: "json" } }),
  fr: () => import("./intents-fr.json", { with: { type: "json" } }),
  hi: () => import("./intents-hi.json", { with: { type: "json" } }),
  it: () => import("./intents-it.json", { with: { type: "json" } }),
  ja: () => import("./intents-ja.json", { with: { type: "json" } }),
  pt: () => import("./intents-pt.json", { with: { type: "json" } }),
  zh: () => import("./intents-zh.json", { with: { type: "json" } }),
};

/** Imports what people want to do in places of each category; undefined for a language without a list. */
export async function importIntentWords(language: string): Promise<IntentWords | undefined> {
  return isLanguage(language) ? (await INTENTS[language]()).default : undefined;
}
