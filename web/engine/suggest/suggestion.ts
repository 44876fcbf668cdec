/**
 * A suggestion and its names.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { foldText, termsOf } from "../../../data/format/fold.ts";
import type { TermColumns } from "../../../data/format/terms.ts";

/**
 * How the text matched. `exact`: a name is the text, in any order. `words`: it has the words. `prefix`: words start like this.
 * `part`: some of the words are its name, the others are unknown. `category`: the words not in a name are in its categories.
 * `intent`: a category of places where people do this. `misspelt`: a word is similar to one of the text. `near-number`: the
 * typed street, and a house number near the one not found.
 */
export type Match = "exact" | "words" | "prefix" | "category" | "intent" | "part" | "misspelt" | "near-number";

/** A feature that the typed words can mean, or a category of places that matches them (only on request). */
export interface Suggestion {
  readonly kind: "country" | "division" | "place" | "street" | "address" | "category";
  readonly collection: CollectionName;
  /** For a category, its name in the data. */
  readonly id: string;
  readonly name: string;
  /**
   * Distinguishes it from others of the name: the region of a division, the address of a place, the town and postcode
   * of an address. Empty if unknown.
   */
  readonly detail: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Its representative point, degrees WGS84; for a category the point to search around. */
  readonly lon: number;
  readonly lat: number;
  /** Its bbox if it is more than a point; for a division that of its area. */
  readonly bbox?: BBox;
  readonly match?: Match;
  /** The name that matched, if it is not the one shown. */
  readonly matched?: string;
  /** The main category of a place. */
  readonly category?: string;
  /** The division that some of the words name: the feature is in or near it. */
  readonly within?: string;
  /** Set if `within` is the whole country. */
  readonly isCountryWide?: true;
  /** Metres from `near`, if that was given. */
  readonly meters?: number;
  /** Words of the text that it does not use. Empty if it uses all; words such as *in* and *near* count as used. */
  readonly unused: readonly string[];
}

/** A suggestion before it is shown: its unused words are folded, and left out if empty. */
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

/** Keeps the first position per key, with the suggestion of that key that uses the most words. */
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

/** Returns the name in the language if available, otherwise the primary name; empty without both. */
export function nameOf(names: Names, language: string | undefined): string {
  return (language === undefined ? undefined : names.common?.[language]) ?? names.primary ?? "";
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
