/**
 * How the index spells the keys of runs that are looked up by number: hashes of ids, ranks.
 * @module
 */

/** The first 32 bits of the SHA-256 of an id, as eight hexadecimal digits. */
export function spellKey(key: number): string {
  return key.toString(16).padStart(8, "0");
}

/** A rank as the index of a count run spells it, so that ranks stand in the order of text. */
export function spellRank(rank: number): string {
  return String(rank).padStart(9, "0");
}
