/**
 * The known word nearest to an unknown one, for messages.
 * @module
 */
import { distance } from "fastest-levenshtein";

/** The candidate with the fewest edits; undefined when there are no candidates. The first of equals. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const edits = distance(word.toLowerCase(), candidate);
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}
