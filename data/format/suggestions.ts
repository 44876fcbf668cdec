/**
 * The content of the suggest run: names of divisions, for a search box.
 * @module
 */
import { cutTerm, termsOf } from "./fold.ts";
import { allNames, type TermColumns } from "./terms.ts";

/** Of a prefix with more rows than this, `suggest` stores only this many: the rows with the most inhabitants. */
export const MOST_POPULOUS = 50;

/**
 * Languages whose names each suggestion stores for display: the page's, and those of the largest Wikipedias. Names in
 * all languages find the row.
 */
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

/** Returns the term of the rows with the most inhabitants among those with a name that starts with this prefix. */
export function populousTerm(prefix: string): string {
  return `populous:${prefix}`;
}

/** Returns the primary name and the common names in `SHOWN_LANGUAGES`, each once. */
export function shownNames(names: NonNullable<TermColumns["names"]>): Set<string> {
  const all = [names.primary, ...SHOWN_LANGUAGES.map((language) => names.common?.[language])];
  return new Set(all.filter((name) => typeof name === "string"));
}

/** A term of a row's names. */
interface NameTerm {
  readonly term: string;
  /** The names of the division that contain the term. */
  readonly found: readonly string[];
  /** True if one of them can be displayed. */
  readonly isShown: boolean;
}

/** Returns the terms of all names of a row, cut as they are stored, each term once. */
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
