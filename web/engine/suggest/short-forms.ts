/**
 * Texts with short forms, written out.
 * @module
 */
import { wholeWords } from "./street-words.ts";

/** Of towns and countries: those in the first sentence of each one's article in the English Wikipedia. */
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

/** The words with each short form written out; none where there is none. A text of the name of a place alone is that. */
export function writtenOut(words: readonly string[]): readonly (readonly string[])[] {
  const place = PLACES.get(words.join(" "));
  if (place !== undefined) return [place.split(" ")];
  const all = words.flatMap((word, i) => {
    // what begins the whole word finds it as it is; one letter is the beginning of too much
    const kinds = word.length < 2 ? [] : wholeWords(word).filter((whole) => !whole.startsWith(word));
    const named = word.length < 3 ? undefined : PLACES.get(word);
    return [...(named === undefined ? [] : [named]), ...kinds].map((whole) => words.with(i, whole));
  });
  return all.slice(0, MOST_TEXTS).map((text) => text.flatMap((word) => word.split(" ")));
}
