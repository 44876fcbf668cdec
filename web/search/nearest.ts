/**
 * Finds the known word nearest to an unknown one, for messages.
 * @module
 */
import { closest } from "fastest-levenshtein";

/** Returns the candidate with the fewest edits, the first on a tie; undefined without candidates. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  return closest(word.toLowerCase(), candidates);
}
