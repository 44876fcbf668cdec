/**
 * An order in which each leading part of a list is spread over it.
 * @module
 */

/** Returns the indexes of a list in an order in which each leading part is spread over the list. */
export function* spreadIndexes(length: number): Generator<number, void, undefined> {
  const bits = Math.ceil(Math.log2(Math.max(1, length)));
  for (let i = 0; i < 2 ** bits; i++) {
    let index = 0;
    for (let bit = 0; bit < bits; bit++) index += Math.floor(i / 2 ** bit) % 2 ? 2 ** (bits - 1 - bit) : 0;
    if (index < length) yield index;
  }
}
