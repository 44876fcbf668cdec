/**
 * Posting lists: of a term, and of several conditions together.
 * @module
 */

import { firstNumberOf } from "../../../data/format/id-order.ts";
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { inTurn } from "../tasks/in-turn.ts";
import { bytesOf, type PostingRange, partitionsOf, type TermRun } from "./term-index.ts";

/** Ascending row numbers, counted over the whole collection. */
export type RowNumbers = Float64Array;

/**
 * Returns what to add to a row number in the run's lists to get the number in the collection: lists of a country count from its
 * first row.
 */
export function baseOf({ session, collection, country }: TermRun): number {
  if (country === ALL_COUNTRIES) return 0;
  return firstNumberOf(session.manifest.collections[collection]?.segments[country] ?? 0);
}

/** Returns the numbers of the rows that have a term of the posting range, ascending, each once. */
export async function numbersInRange(run: TermRun, { first, last, partitions }: PostingRange): Promise<RowNumbers> {
  const { session, collection } = run;
  const base = baseOf(run);
  const slices = await Promise.all(partitions.map((node) => session.readPostings({ collection, run: "term", node })));
  return inTurn(() => {
    const lists: RowNumbers[] = [];
    for (const postings of slices) {
      const { start, end } = postings.rangeOf(first, last);
      for (let term = start; term < end; term++) lists.push(postings.numbersAt(term));
    }
    const all = first === last ? joined(lists) : united(lists);
    for (let i = 0; i < all.length; i++) all[i] = (all[i] ?? 0) + base;
    return all;
  });
}

/** Returns the numbers of the rows that have a term of any of the posting ranges, ascending, each once. */
export async function numbersInRanges(run: TermRun, ranges: readonly PostingRange[]): Promise<RowNumbers> {
  const lists = await Promise.all(ranges.map((range) => numbersInRange(run, range)));
  const [only] = lists;
  return lists.length === 1 && only ? only : inTurn(() => united(lists));
}

/**
 * Returns the numbers that are in all lists; empty without lists. The result may be one of the lists itself, so do not change it.
 */
export function intersected(lists: readonly RowNumbers[]): RowNumbers {
  const [shortest = new Float64Array(), ...others] = lists.toSorted((a, b) => a.length - b.length);
  return others.reduce(common, shortest);
}

/** Returns the bytes of the slices of the posting ranges that are not in memory. */
export function unreadBytes(run: TermRun, ranges: readonly PostingRange[]): number {
  return bytesOf(partitionsOf(ranges).filter((node) => !run.session.isCached(node)));
}

/** Concatenates lists into a new one. Each list must continue where the previous one ended. */
export function joined(lists: readonly RowNumbers[]): RowNumbers {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const list of lists) {
    all.set(list, offset);
    offset += list.length;
  }
  return all;
}

/** The union of the lists, without duplicates. */
function united(lists: readonly RowNumbers[]): RowNumbers {
  const all = joined(lists).sort();
  let length = 0;
  for (let i = 0; i < all.length; i++) {
    if (i === 0 || all[i] !== all[length - 1]) all[length++] = all[i] ?? 0;
  }
  return all.subarray(0, length);
}

function common(some: RowNumbers, others: RowNumbers): RowNumbers {
  const both = new Float64Array(some.length);
  let [length, at] = [0, 0];
  for (const number of some) {
    at = firstFrom(others, at, number);
    if (others[at] === number) both[length++] = number;
  }
  return both.subarray(0, length);
}

/**
 * Returns the first index from `start` on with a number of at least `least`; the length of the list if there is none. Fast also
 * for a long list, because steps double.
 */
export function firstFrom(numbers: RowNumbers, start: number, least: number): number {
  let step = 1;
  let low = start;
  while (low + step < numbers.length && (numbers[low + step] ?? 0) < least) {
    low += step;
    step *= 2;
  }
  let high = Math.min(numbers.length, low + step + 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) >= least) high = middle;
    else low = middle + 1;
  }
  return low;
}
