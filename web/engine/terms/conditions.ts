/**
 * Conditions on terms, as lists of row numbers. The rarest is read first; another is read too unless it takes more bytes
 * than the rows that are left.
 * @module
 */
import { COLLECTIONS, type CollectionName } from "../../../data/format/collections.ts";
import { cutTerm, FOLD_VERSION } from "../../../data/format/fold.ts";
import { ALL_COUNTRIES, type Manifest } from "../../../data/format/manifest.ts";
import { BLOCK_BYTES } from "../../../data/format/records.ts";
import { FACET_COLUMNS, splitTerm, WORLDWIDE } from "../../../data/format/terms.ts";
import type { Filters, Query } from "../contract/query.ts";
import { intersected, numbersOfPlaces, type RowNumbers, unreadBytes } from "./posting-lists.ts";
import { placeOfRareTerm, placeOfTerm, rowsOf, type TermPlace, type TermRun } from "./term-index.ts";

/** What the term run tells of a query's conditions. */
export interface ToldRows {
  /** Rows that have the terms looked for; those that match are among them. */
  readonly numbers: RowNumbers;
  /** Whether all of them match. */
  readonly areExact: boolean;
}

/** Whether the collection's term run can be asked for rows of the country, or of all (`ALL_COUNTRIES`). */
export function canAskTerms(
  manifest: Manifest,
  collection: CollectionName,
  country: string,
  filters: Filters,
): boolean {
  if (manifest.fold_version !== FOLD_VERSION || !manifest.collections[collection]?.runs.term) return false;
  if (country === ALL_COUNTRIES && !WORLDWIDE.has(collection)) return false;
  return usable(country, filters).length > 0;
}

/** The conditions that the run has lists for: over all countries those of names alone. */
export function usable(country: string, { terms = [] }: Filters): readonly Clause[] {
  if (country !== ALL_COUNTRIES) return terms;
  return terms.filter((clause) => clause.every((term) => splitTerm(term).facet === "name"));
}

/** The rows that meet the conditions, as far as the run tells. `canAskTerms` has said yes. */
export async function rowsTold(run: TermRun, filters: Filters): Promise<ToldRows> {
  const clauses = usable(run.country, filters);
  const { rarest, others } = await orderConditions(run, clauses);
  let numbers = await numbersOfPlaces(run, rarest);
  let areAllRead = true;
  for (const places of clauses.length > 1 && numbers.length > 0 ? await others() : []) {
    if (numbers.length * BLOCK_BYTES < unreadBytes(run, places)) areAllRead = false;
    else numbers = intersected([numbers, await numbersOfPlaces(run, places)]);
  }
  const areExact = areAllRead && clauses.length === (filters.terms ?? []).length && isToldByTerms(filters);
  return { numbers, areExact: areExact || numbers.length === 0 };
}

/** Whether every row that has a stored term of each condition matches. */
export function isToldByTerms({ terms = [], atLeast, bbox, where }: Filters): boolean {
  return terms.every(isStoredWhole) && atLeast === undefined && !bbox && !where;
}

/** Whether the stored terms are as long as those asked for. */
function isStoredWhole(clause: Clause): boolean {
  return clause.every((term) => {
    const { facet, value } = splitTerm(term);
    return facet !== "name" || cutTerm(value) === value;
  });
}

/** The collections that have the columns of every condition: rows of the others cannot match. */
export function searchable({ collections, filters }: Pick<Query, "collections" | "filters">): CollectionName[] {
  return collections.filter((name) => {
    const columns = new Set(COLLECTIONS[name].columns.map((column) => column.name));
    return (filters?.terms ?? []).every((clause) =>
      clause.some((term) => FACET_COLUMNS[splitTerm(term).facet].some((column) => columns.has(column))),
    );
  });
}

/** Terms of which a row has at least one. */
export type Clause = readonly string[];

interface Conditions {
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
