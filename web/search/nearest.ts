/**
 * Finds the known word nearest to an unknown one, for messages.
 * @module
 */
import { closest, distance } from "fastest-levenshtein";

/** An edit in each of this number of letters still leaves the intended word recognizable. */
const LETTERS_PER_EDIT = 3;

/**
 * Returns the candidate that differs from the word by the fewest letters, the first on a tie. Ignores the case of the word.
 * Undefined if more than about a third of its letters would have to change.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const folded = word.toLowerCase();
  const found = closest(folded, candidates);
  const edits = distance(folded, found);
  return edits < word.length && edits <= Math.ceil(word.length / LETTERS_PER_EDIT) ? found : undefined;
}

/** Returns the end of a message about the unknown word: the nearest candidate, or all candidates if none is near. */
export function nearestOf(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === undefined ? `allowed are ${candidates.join(", ") || "none"}` : `the nearest is ${found}`;
}
