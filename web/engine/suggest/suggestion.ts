/**
 * A suggestion and its names.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { foldText, termsOf } from "../../../data/format/fold.ts";
import { nameInLanguage } from "../../../data/format/name-in-language.ts";
import type { TermColumns } from "../../../data/format/terms.ts";

/**
 * How the text matches. `exact`: the words are a whole name, in any order. `words`: all are words of a name. `prefix`: each
 * starts a word. `part`: only some name it. `category`: the others are in its categories. `intent`: people do this in places of
 * the category. `misspelt`: one is similar. `near-number`: the street with a near house number.
 */
export type Match = "exact" | "words" | "prefix" | "category" | "intent" | "part" | "misspelt" | "near-number";

/** A feature that the typed words can mean, or a category of places that matches them (only on request). */
export interface Suggestion {
  readonly kind: "country" | "division" | "place" | "street" | "address" | "category";
  readonly collection: CollectionName;
  /** Id of the feature; for a category its name in the data, such as `cafe`. */
  readonly id: string;
  readonly name: string;
  /**
   * Distinguishes features with the same name: the region of a division, the address of a place, the town and postcode of an
   * address. Empty if unknown.
   */
  readonly detail: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The representative point, degrees WGS84; for a category the point to search around. */
  readonly lon: number;
  readonly lat: number;
  /** The bbox, absent for a point; for a division that of its area. */
  readonly bbox?: BBox;
  readonly match?: Match;
  /** The name that matched, if it is not the one shown. */
  readonly matched?: string;
  /** The main category of a place. */
  readonly category?: string;
  /** Name of the division or region that some of the words name. The feature is in it or near it. */
  readonly within?: string;
  /** Set if `within` is the whole country. */
  readonly isCountryWide?: true;
  /** Metres from `near`, if that was given. */
  readonly meters?: number;
  /** Words of the text that the suggestion does not use. Words such as *in* and *near* count as used. */
  readonly unused: readonly string[];
}

/** A suggestion before it is shown. Its unused words are folded, and the list is left out if empty. */
export interface Meaning extends Omit<Suggestion, "unused"> {
  readonly unused?: readonly string[];
}

export type Names = NonNullable<TermColumns["names"]>;

/** A suggestion with its ranking. */
export interface Scored {
  readonly suggestion: Meaning;
  /** How well it matches: higher is better. */
  readonly score: number;
}

/** Whether the text is a name of the suggestion. */
export const isExact = ({ suggestion }: Scored): boolean => suggestion.match === "exact";

/** Returns one suggestion per key, at the position of the first with this key: the one that uses the most words. */
export function firstOfEach(found: readonly Scored[], keyOf: (suggestion: Meaning) => string): Scored[] {
  const best = new Map<string, Scored>();
  for (const { suggestion, score } of found) {
    const key = keyOf(suggestion);
    const known = best.get(key);
    if (!known) best.set(key, { suggestion, score });
    else if (unusedBy(suggestion) < unusedBy(known.suggestion)) best.set(key, { suggestion, score: known.score });
  }
  return [...best.values()];
}

function unusedBy({ unused = [] }: Meaning): number {
  return unused.length;
}

/** Returns the name in the language (`nameInLanguage`), otherwise the primary name; empty without both. */
export function nameOf(names: Names, language: string | undefined): string {
  return (language === undefined ? undefined : nameInLanguage(names.common, language)) ?? names.primary ?? "";
}

/** Returns an object with the bbox; empty for the bbox of a point. */
export function boxOf(bbox: BBox): { bbox?: BBox } {
  return bbox[0] === bbox[2] && bbox[1] === bbox[3] ? {} : { bbox };
}

/** Returns whether each of the words is a prefix of a term of the name. */
export function hasWords(name: string, words: readonly string[]): boolean {
  const terms = [...termsOf(name)];
  return words.every((word) => terms.some((term) => term.startsWith(word)));
}

/** Returns the best of the names for the words, the first on a tie. Undefined if no name has them. */
export function bestMatch(
  names: readonly string[],
  words: readonly string[],
): { readonly match: "exact" | "words" | "prefix"; readonly name: string } | undefined {
  let best: { match: "words" | "prefix"; name: string } | undefined;
  for (const name of names) {
    if (!hasWords(name, words)) continue;
    const terms = termsOf(name);
    const areWhole = words.every((word) => terms.has(word));
    if (areWhole && (terms.size === words.length || foldText(name) === words.join(" ")))
      return { match: "exact", name };
    if (!best || (areWhole && best.match === "prefix")) best = { match: areWhole ? "words" : "prefix", name };
  }
  return best;
}
