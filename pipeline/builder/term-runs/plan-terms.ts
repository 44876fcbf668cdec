/**
 * Plans how terms and their rows are cut into slices.
 * @module
 */

import { firstIndex } from "../../../data/format/sorted.ts";

/** Consecutive terms, from index `start` to `end` (exclusive). */
export interface TermRange {
  readonly start: number;
  readonly end: number;
}

/** Terms in order, as columns, because there may be millions. */
interface WeighedTerms {
  readonly terms: readonly string[];
  readonly weights: ArrayLike<number>;
}

/**
 * Cuts terms into ranges of at most `target` weight. A heavier term has its own range. The cuts depend little on other
 * terms, so most ranges are the same in the next release.
 */
export function planTerms({ terms, weights }: WeighedTerms, target: number): TermRange[] {
  const ranges: TermRange[] = [];
  const sums = sumsOf(weights);
  let from = 0;
  for (let ordinal = 0; ordinal < terms.length; ordinal++) {
    if ((weights[ordinal] ?? 0) <= target) continue;
    cutNeighbours({ terms, sums }, { start: from, end: ordinal }, target, ranges);
    ranges.push({ start: ordinal, end: ordinal + 1 });
    from = ordinal + 1;
  }
  cutNeighbours({ terms, sums }, { start: from, end: terms.length }, target, ranges);
  return ranges;
}

/** Running totals of the weights. */
function sumsOf(weights: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(weights.length + 1);
  for (let i = 0; i < weights.length; i++) sums[i + 1] = (sums[i] ?? 0) + (weights[i] ?? 0);
  return sums;
}

interface Summed {
  readonly terms: readonly string[];
  readonly sums: Float64Array;
}

/**
 * Halves the terms until each part weighs at most `target`: in its middle third, before the term with the lowest
 * hash.
 * The choice does not depend on other rows, so most slices stay the same.
 */
function cutNeighbours({ terms, sums }: Summed, whole: TermRange, target: number, into: TermRange[]): void {
  const halve = ({ start, end }: TermRange): void => {
    const [low, weight] = [sums[start] ?? 0, (sums[end] ?? 0) - (sums[start] ?? 0)];
    if (weight <= target || end - start < 2) {
      if (end > start) into.push({ start, end });
      return;
    }
    let cut = Math.min(end - 1, Math.max(start + 1, firstAtLeast(sums, low + weight / 3, { start, end })));
    let least = hashOf(terms[cut] ?? "");
    for (let i = cut + 1; i < end && (sums[i] ?? 0) <= low + (weight * 2) / 3; i++) {
      const hash = hashOf(terms[i] ?? "");
      if (hash < least) [cut, least] = [i, hash];
    }
    halve({ start, end: cut });
    halve({ start: cut, end });
  };
  halve(whole);
}

/** The first index in the range whose value is at least `bound`, otherwise the end of the range. Values are ascending. */
function firstAtLeast(values: Float64Array, bound: number, { start, end }: TermRange): number {
  return start + firstIndex(end - start, (index) => (values[start + index] ?? 0) >= bound);
}

/** FNV-1a with one more mixing step, because its low bits hardly differ for short words. */
function hashOf(term: string): number {
  let hash = 2166136261;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 16777619);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}

/**
 * Cuts ascending numbers into parts of at most `most` numbers by halving the range of their values, so that one more
 * number changes one part. Returns the index after the last number of each part.
 */
export function cutNumbers(numbers: Float64Array, most: number): number[] {
  const ends: number[] = [];
  const halve = (start: number, end: number, low: number, high: number): void => {
    if (end - start <= most) {
      if (end > start) ends.push(end);
      return;
    }
    const middle = Math.floor((low + high) / 2);
    const cut = firstAtLeast(numbers, middle, { start, end });
    halve(start, cut, low, middle);
    halve(cut, end, middle, high);
  };
  const last = numbers.at(-1) ?? 0;
  halve(0, numbers.length, 0, 2 ** Math.ceil(Math.log2(last + 2)));
  return ends;
}
