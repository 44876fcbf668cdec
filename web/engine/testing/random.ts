/**
 * Random numbers that are the same on every run.
 * @module
 */

export interface Random {
  /** Uniform from `low` (inclusive) to `high` (exclusive). */
  between(low: number, high: number): number;
  /** Uniform from `-size` to `size`. */
  spread(size: number): number;
  /** From `low` to `high`, with every order of magnitude equally likely. */
  magnitude(low: number, high: number): number;
  /** An integer below `end`. */
  below(end: number): number;
  /** One of the items. */
  of<T>(items: readonly T[]): T;
}

/**
 * Creates a generator from a seed: mulberry32.
 * @see https://github.com/cprosche/mulberry32 (public domain)
 */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  const random: Random = {
    between: (low, high) => low + next() * (high - low),
    spread: (size) => random.between(-size, size),
    magnitude: (low, high) => Math.exp(random.between(Math.log(low), Math.log(high))),
    below: (end) => Math.floor(next() * end),
    of(items) {
      if (items.length === 0) throw new Error("no items to choose from");
      return items[random.below(items.length)] as (typeof items)[number];
    },
  };
  return random;
}
