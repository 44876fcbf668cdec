/**
 * Reproducible random choices.
 * @module
 */

export interface Random {
  /** From 0 to 1, exclusive. */
  next(): number;
  between(least: number, greatest: number): number;
  integer(least: number, greatest: number): number;
  /** Returns one of the items. Throws if there are none. */
  of<T>(items: readonly T[]): T;
  chance(share: number): boolean;
}

/** Mulberry32. @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c (public domain) */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, greatest: number): number => least + next() * (greatest - least);
  const integer = (least: number, greatest: number): number => Math.floor(between(least, greatest + 1));
  return {
    next,
    between,
    integer,
    chance: (share) => next() < share,
    of(items) {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error("random choice among no items");
      return item;
    },
  };
}
