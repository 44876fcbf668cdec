/**
 * Searches further countries of a text that names none: in their order, within a number of bytes.
 * @module
 */
import type { Session } from "../store/session.ts";

/** Countries of the first round; each further round has twice as many. */
const FIRST = 3;

export interface CountrySearch<T> {
  /** In the order in which they are searched. */
  readonly countries: readonly string[];
  /** Most bytes for all of them together. */
  readonly mostBytes: number;
  /** Bytes of the whole answer so far. */
  readonly bytesSpent: () => number;
  readonly search: (country: string) => Promise<readonly T[]>;
  readonly isEnough: (found: readonly T[]) => boolean;
}

/**
 * What the countries have, until that is enough or the bytes are used up. A country is expected to need as many bytes as one of the round before; a round
 * that needs more exceeds the number once.
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

/** Bytes of all that a session has needed, in memory or not, with the fixed cost of each file: the same for the same text. */
export function bytesNeeded({ files, costs }: Session): number {
  const { requestBytes } = costs();
  return files.reduce((sum, { bytes }) => sum + bytes + requestBytes, 0);
}
