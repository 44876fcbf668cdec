/**
 * A suggestion, and how it is named.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { foldText, termsOf } from "../../../data/format/fold.ts";
import type { TermColumns } from "../../../data/format/terms.ts";

/**
 * How the text found it. `exact`: a name is the text, in any order. `words`: it has the words. `prefix`: words that begin so.
 * `part`: some of the words are its name, and nothing tells what the others are. `category`: the words that no name has are those of its categories. `misspelt`: as are those of a word that nearly is one of the text.
 * `near-number`: the street is the one that was typed, its house number was not found, and this is one near it.
 */
export type Match = "exact" | "words" | "prefix" | "category" | "part" | "misspelt" | "near-number";

/** A feature that the typed words mean, or a category of places that has them (only where it is asked for). */
export interface Suggestion {
  readonly kind: "country" | "division" | "place" | "street" | "address" | "category";
  readonly collection: CollectionName;
  /** Of a category its name in the data. */
  readonly id: string;
  readonly name: string;
  /** What tells it from others of the name: a division's region, a place's address, an address's town and postcode. Empty where nothing is known. */
  readonly detail: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Its representative point, degrees WGS84; of a category the point to search around. */
  readonly lon: number;
  readonly lat: number;
  /** Its box where it is more than a point; a division's is that of its area. */
  readonly bbox?: BBox;
  readonly match?: Match;
  /** The name that has the words, where it is not the one shown. */
  readonly matched?: string;
  /** A place's main category. */
  readonly category?: string;
  /** The division that some of the words name: it lies in or near it. */
  readonly within?: string;
  /** Metres from `near`, where that was given. */
  readonly meters?: number;
  /** Words of the text that it does not use: to follow it is to drop them. Empty where it uses all; words such as *in* and *near* count as used. */
  readonly unused: readonly string[];
}

/** A suggestion before it is shown: its unused words are folded, and left out where there are none. */
export interface Meaning extends Omit<Suggestion, "unused"> {
  readonly unused?: readonly string[];
}

export type Names = NonNullable<TermColumns["names"]>;

/** A suggestion with what it is ranked by. */
export interface Scored {
  readonly suggestion: Meaning;
  /** How well it fits: the higher the better. */
  readonly score: number;
}

export const isExact = ({ suggestion }: Scored): boolean => suggestion.match === "exact";

/** The first of each key, with the suggestion of that key that uses the most words. */
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

/** The name in the language where there is one, else the primary name. */
export function nameOf(names: Names, language: string | undefined): string {
  return (language === undefined ? undefined : names.common?.[language]) ?? names.primary ?? "";
}

/** The box, unless it is that of a point. */
export function boxOf(bbox: BBox): { bbox?: BBox } {
  return bbox[0] === bbox[2] && bbox[1] === bbox[3] ? {} : { bbox };
}

/** Whether each of the words begins a term of the name. */
export function hasWords(name: string, words: readonly string[]): boolean {
  const terms = [...termsOf(name)];
  return words.every((word) => terms.some((term) => term.startsWith(word)));
}

/** The best of the names for the words; the first comes first where several are as good. Undefined where none has them. */
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
