/**
 * Edits between a word and a similar one.
 * @module
 */
import { MISSPELT_FROM } from "../../../data/format/terms.ts";

/** Length from which two letters may be wrong. Shorter words would be close to most others. */
const TWO_FROM = 8;

/**
 * Returns how many edits are allowed between a word and a term, by the length of the longer one: 1 from four letters, 2 from
 * eight. 0 if the word has a digit, or if the lengths differ by more than that.
 */
export function mostEdits(word: string, termLength: number): number {
  if (/\p{N}/u.test(word)) return 0;
  const longest = Math.max(word.length, termLength);
  const most = longest < MISSPELT_FROM ? 0 : longest < TWO_FROM ? 1 : 2;
  return Math.abs(word.length - termLength) > most ? 0 : most;
}

/**
 * Returns the number of letters to delete, insert, change, or swap with their neighbour to turn one word into the other;
 * undefined above `most`. The words are lists of letters.
 * @see https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance#Optimal_string_alignment_distance
 */
export function editsBetween(from: readonly string[], to: readonly string[], most: number): number | undefined {
  if (Math.abs(from.length - to.length) > most) return undefined;
  let [before, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, i) => i)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwapped) edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    if (Math.min(...row) > most) return undefined;
    [before, last] = [last, row];
  }
  const edits = last[to.length] ?? 0;
  return edits <= most ? edits : undefined;
}
