/**
 * Searches further countries for a text that names no country, in order and within a limit on bytes.
 * @module
 */

/** Countries of the first round; each further round has twice as many. */
const FIRST = 3;

export interface CountrySearch<T> {
  /** In search order. */
  readonly countries: readonly string[];
  /** Limit on bytes for all of them together. */
  readonly mostBytes: number;
  /** Returns the bytes of the whole answer so far. */
  readonly bytesSpent: () => number;
  readonly search: (country: string) => Promise<readonly T[]>;
  readonly isEnough: (found: readonly T[]) => boolean;
}

/**
 * Searches the countries in rounds until `isEnough` is true or `mostBytes` are spent. A country is expected to cost as much as
 * one of the round before. Only one round can exceed the limit.
 */
export async function searchCountries<T>(asked: CountrySearch<T>): Promise<readonly T[]> {
  const { countries, mostBytes, bytesSpent, search, isEnough } = asked;
  const before = bytesSpent();
  const found: T[] = [];
  let [next, atOnce, bytesEach] = [0, FIRST, 0];
  while (next < countries.length && !isEnough(found)) {
    const spent = bytesSpent() - before;
    const affordable = bytesEach === 0 ? atOnce : Math.floor((mostBytes - spent) / bytesEach);
    const some = countries.slice(next, next + Math.max(0, Math.min(atOnce, affordable)));
    if (some.length === 0) break;
    found.push(...(await Promise.all(some.map(search))).flat());
    bytesEach = (bytesSpent() - before - spent) / some.length;
    next += some.length;
    atOnce *= 2;
  }
  return found;
}
