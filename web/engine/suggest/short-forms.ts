/**
 * Expands short forms in texts.
 * @module
 */
import { wholeWords } from "./street-words.ts";

/** Towns and countries: short forms in the first sentence of their article in the English Wikipedia. */
const PLACES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cdmx: "mexico city",
    dc: "washington",
    hk: "hong kong",
    kl: "kuala lumpur",
    la: "los angeles",
    nola: "new orleans",
    nyc: "new york city",
    philly: "philadelphia",
    sf: "san francisco",
    slc: "salt lake city",
    uae: "united arab emirates",
    uk: "united kingdom",
    usa: "united states",
    vegas: "las vegas",
  }),
);

const MOST_TEXTS = 2;

/**
 * Returns at most two texts, each with one short form expanded; empty without short forms. A text that is just the short form
 * of a place gives only that place.
 */
export function writtenOut(words: readonly string[]): readonly (readonly string[])[] {
  const place = PLACES.get(words.join(" "));
  if (place !== undefined) return [place.split(" ")];
  const all = words.flatMap((word, i) => {
    // a prefix of the whole word finds it anyway; one letter is a prefix of too many
    const kinds = word.length < 2 ? [] : wholeWords(word).filter((whole) => !whole.startsWith(word));
    const named = word.length < 3 ? undefined : PLACES.get(word);
    return [...(named === undefined ? [] : [named]), ...kinds].map((whole) => words.with(i, whole));
  });
  return all.slice(0, MOST_TEXTS).map((text) => text.flatMap((word) => word.split(" ")));
}
