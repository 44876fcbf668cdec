/**
 * Finds the known word nearest to an unknown one, for messages.
 * @module
 */
import { closest, distance } from "fastest-levenshtein";

/** An edit in each of this number of letters still leaves the intended word recognizable. */
const LETTERS_PER_EDIT = 3;

/** Returns the candidate with the fewest edits, the first on a tie, ignoring the case of `word`; undefined if none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (candidates.length === 0) return undefined;
  const folded = word.toLowerCase();
  const found = closest(folded, candidates);
  const edits = distance(folded, found);
  return edits < word.length && edits <= Math.ceil(word.length / LETTERS_PER_EDIT) ? found : undefined;
}

/** Returns what a message about the unknown word adds: the nearest candidate, or all of them if none is near. */
export function nearestOf(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === undefined ? `allowed are ${candidates.join(", ") || "none"}` : `the nearest is ${found}`;
}
