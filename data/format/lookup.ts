/**
 * Numbers as texts by which the index finds slices: keys (hashes of ids) of the run `find`, and ranks (positions by
 * descending count) of the runs `count_*`.
 *
 * @module
 */

/** Returns a key as eight hexadecimal digits. A key is the first 32 bits of the SHA-256 of an id, as a number. */
export function spellKey(key: number): string {
  return key.toString(16).padStart(8, "0");
}

/** Returns a rank as text of nine digits, which sorts like the number. */
export function spellRank(rank: number): string {
  return String(rank).padStart(9, "0");
}
