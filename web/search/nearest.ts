/**
 * The known word nearest to an unknown one, for messages.
 * @module
 */
import { closest } from "fastest-levenshtein";

/** The candidate with the fewest edits; undefined when there are no candidates. The first of equals. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  return closest(word.toLowerCase(), candidates);
}
