/**
 * What the suggest run stores: the names of divisions, for a box in which a person types.
 * @module
 */
import { cutTerm, termsOf } from "./fold.ts";
import { allNames, type TermColumns } from "./terms.ts";

/** A beginning that more rows have is stored with so many of them, the most populous. */
export const MOST_POPULOUS = 50;

/** Languages whose names stand in every row, to be shown: the page's, and the most read of Wikipedia's. Rows are found by the names of all. */
export const SHOWN_LANGUAGES = [
  "ar",
  "de",
  "en",
  "es",
  "fr",
  "hi",
  "it",
  "ja",
  "pt",
  "ru",
  "zh",
  "zh-Hans",
  "zh-Hant",
] as const;

/** The term under which the most populous rows stand that have a name beginning so. */
export function populousTerm(beginning: string): string {
  return `populous:${beginning}`;
}

/** Names that can be shown, whatever the reader's language. */
export function shownNames(names: NonNullable<TermColumns["names"]>): Set<string> {
  const all = [names.primary, ...SHOWN_LANGUAGES.map((language) => names.common?.[language])];
  return new Set(all.filter((name) => typeof name === "string"));
}

/** A term of a row's names. */
export interface NameTerm {
  readonly term: string;
  /** The names that have it. */
  readonly found: readonly string[];
  /** Whether one of them can be shown. */
  readonly isShown: boolean;
}

/** The terms of all names, cut as they are stored. */
export function nameTerms(names: NonNullable<TermColumns["names"]>): NameTerm[] {
  const shown = shownNames(names);
  const found = new Map<string, Set<string>>();
  for (const name of allNames(names)) {
    for (const term of termsOf(name)) {
      const key = cutTerm(term);
      const known = found.get(key) ?? new Set();
      found.set(key, known.add(name));
    }
  }
  return Array.from(found, ([term, having]) => ({
    term,
    found: [...having],
    isShown: [...having].some((name) => shown.has(name)),
  }));
}
