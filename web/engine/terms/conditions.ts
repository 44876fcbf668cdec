/**
 * Conditions on terms as lists of row numbers. The rarest is read first; another one only if it has fewer bytes than
 * the blocks of the remaining rows, in memory or not: callers may use the rows as they are.
 * @module
 */

import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { cutTerm, FOLD_VERSION } from "../../../data/format/fold.ts";
import { ALL_COUNTRIES, type Manifest } from "../../../data/format/manifest.ts";
import { collectionIn, hasColumn, isKnown } from "../../../data/format/own-collections.ts";
import { FACET_COLUMNS, splitTerm, WORLDWIDE } from "../../../data/format/terms.ts";
import type { Filters, Query } from "../contract/query.ts";
import { intersected, numbersInRanges, type RowNumbers } from "./posting-lists.ts";
import {
  bytesOf,
  type PostingRange,
  partitionsOf,
  postingRangeOf,
  rarePostingRangeOf,
  rowsOf,
  type TermRun,
} from "./term-index.ts";

export interface CandidateRows {
  /** Numbers of the rows that have the terms looked up: all matches, and maybe others. */
  readonly numbers: RowNumbers;
  /** Whether all of these rows match. */
  readonly areExact: boolean;
}

/**
 * Returns whether posting lists of the country (or `ALL_COUNTRIES`) can find candidates for the filters: the collection has
 * lists, made by the present rules for words, for at least one condition.
 */
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

/** Returns the conditions for which the country's run has posting lists. The run of all countries has only names. */
export function usable(country: string, { terms = [] }: Filters): readonly Clause[] {
  if (country !== ALL_COUNTRIES) return terms;
  return terms.filter((clause) => clause.every((term) => splitTerm(term).facet === "name"));
}

/** Returns the candidate rows for the conditions. Call it only if `canAskTerms` is true. */
export async function candidateRows(run: TermRun, filters: Filters): Promise<CandidateRows> {
  const clauses = usable(run.country, filters);
  const { rarest, others } = await orderConditions(run, clauses);
  let numbers = await numbersInRanges(run, rarest);
  let areAllRead = true;
  for (const ranges of clauses.length > 1 && numbers.length > 0 ? await others() : []) {
    if (numbers.length * BLOCK_BYTES < bytesOf(partitionsOf(ranges))) areAllRead = false;
    else numbers = intersected([numbers, await numbersInRanges(run, ranges)]);
  }
  const areExact = areAllRead && clauses.length === (filters.terms ?? []).length && isKnownByTerms(filters);
  return { numbers, areExact: areExact || numbers.length === 0 };
}

/** Returns whether terms alone decide: every row that has a stored term of each condition matches the filters. */
export function isKnownByTerms({ terms = [], atLeast, atMost, columns, bbox, where }: Filters): boolean {
  const isBounded = atLeast !== undefined || atMost !== undefined;
  return terms.every(isStoredWhole) && !isBounded && columns === undefined && !bbox && !where;
}

/** Whether the stored terms are as long as the requested ones. */
function isStoredWhole(clause: Clause): boolean {
  return clause.every((term) => {
    const { facet, value } = splitTerm(term);
    return facet !== "name" || cutTerm(value) === value;
  });
}

/**
 * Returns those of the query's collections that have the columns of every condition on terms. No row of another collection can
 * match.
 */
export function searchable(
  manifest: Manifest,
  { collections, filters }: Pick<Query, "collections" | "filters">,
): CollectionName[] {
  return collections.filter((name) => {
    if (!isKnown(manifest, name)) return false;
    const schema = collectionIn(manifest, name);
    return (filters?.terms ?? []).every((clause) =>
      clause.some((term) => FACET_COLUMNS[splitTerm(term).facet].some((column) => hasColumn(schema, column))),
    );
  });
}

/** Terms of which a row has at least one. */
export type Clause = readonly string[];

interface Conditions {
  /** Posting ranges of the rarest condition. */
  readonly rarest: readonly PostingRange[];
  readonly isOnly: boolean;
  /** Returns the posting ranges of the other conditions, rarest first. Looks them up when called. */
  others(): Promise<readonly (readonly PostingRange[])[]>;
}

/**
 * Orders the conditions, the rarest first. If the lists of one take only a slice or two, the others are not looked up before they
 * are needed.
 */
export async function orderConditions(run: TermRun, clauses: readonly Clause[]): Promise<Conditions> {
  const rangesOf = (clause: Clause) => Promise.all(clause.map((term) => postingRangeOf(run, term)));
  const sortedRanges = async (some: readonly Clause[]) => byRarity(await Promise.all(some.map(rangesOf)));

  if (clauses.length > 1) {
    const looks = await Promise.all(clauses.map((clause) => rareRanges(run, clause)));
    const [rarest] = byRarity(looks.filter((ranges) => ranges !== undefined));
    if (rarest) {
      const rest = clauses.filter((_, index) => looks[index] !== rarest);
      return { rarest, isOnly: false, others: () => sortedRanges(rest) };
    }
  }
  const [rarest = [], ...others] = await sortedRanges(clauses);
  return { rarest, isOnly: others.length === 0, others: async () => others };
}

async function rareRanges(run: TermRun, clause: Clause): Promise<readonly PostingRange[] | undefined> {
  const ranges = await Promise.all(clause.map((term) => rarePostingRangeOf(run, term)));
  return ranges.every((each) => each !== undefined) ? ranges : undefined;
}

function byRarity(ranges: readonly (readonly PostingRange[])[]): readonly (readonly PostingRange[])[] {
  return ranges.toSorted((a, b) => rowsOf(a) - rowsOf(b));
}
