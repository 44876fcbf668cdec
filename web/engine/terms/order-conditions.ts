/**
 * Which of several conditions is read first: the one that the fewest rows have.
 * @module
 */
import { placeOfRareTerm, placeOfTerm, rowsOf, type TermPlace, type TermRun } from "./term-index.ts";

/** Terms of which a row has at least one. */
export type Clause = readonly string[];

export interface Conditions {
  /** Where the rows of the rarest condition are. */
  readonly rarest: readonly TermPlace[];
  /** Whether there are no others. */
  readonly isOnly: boolean;
  /** Where those of the others are, that first which the fewest have; looked for when it is asked for, where it was not needed. */
  others(): Promise<readonly (readonly TermPlace[])[]>;
}

/**
 * The conditions by rarity. Where one stands whole in a file or two, what the others have is not looked for: a page of the index and a
 * round trip less.
 */
export async function orderConditions(run: TermRun, clauses: readonly Clause[]): Promise<Conditions> {
  const place = (clause: Clause) => Promise.all(clause.map((term) => placeOfTerm(run, term)));
  const placeAll = async (some: readonly Clause[]) => byRarity(await Promise.all(some.map(place)));

  if (clauses.length > 1) {
    const looks = await Promise.all(clauses.map((clause) => placeRare(run, clause)));
    const [rarest] = byRarity(looks.filter((places) => places !== undefined));
    if (rarest) {
      const rest = clauses.filter((_, index) => looks[index] !== rarest);
      return { rarest, isOnly: false, others: () => placeAll(rest) };
    }
  }
  const [rarest = [], ...others] = await placeAll(clauses);
  return { rarest, isOnly: others.length === 0, others: async () => others };
}

/** The places of a condition all of whose terms are rare. */
async function placeRare(run: TermRun, clause: Clause): Promise<readonly TermPlace[] | undefined> {
  const places = await Promise.all(clause.map((term) => placeOfRareTerm(run, term)));
  return places.every((each) => each !== undefined) ? places : undefined;
}

function byRarity(places: readonly (readonly TermPlace[])[]): readonly (readonly TermPlace[])[] {
  return places.toSorted((a, b) => rowsOf(a) - rowsOf(b));
}
