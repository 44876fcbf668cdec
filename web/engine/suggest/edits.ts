/**
 * How many letters of a word were typed wrongly.
 * @module
 */

/** Letters from which on one is taken to be wrong, and two. Of shorter words nearly every other is near. */
const ONE_FROM = 4;
const TWO_FROM = 8;

/** So many letters of the word may be wrong; none of a number. */
export function mostEdits(word: string): number {
  const { length } = Array.from(word);
  if (length < ONE_FROM || /\p{N}/u.test(word)) return 0;
  return length < TWO_FROM ? 1 : 2;
}

/**
 * Letters to leave out, put in, change, or swap with their neighbour to make one word of the other; undefined where it takes more than `most`.
 * @see https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance#Optimal_string_alignment_distance
 */
export function editsBetween(a: string, b: string, most: number): number | undefined {
  const [from, to] = [Array.from(a), Array.from(b)];
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
