/** How runs by term are cut: counts in, row ranges out. @module */
import type { PlannedPartition } from "../partitions/index.ts";

/** A country's terms in order, as columns: there may be millions. */
export interface CountryTerms {
  readonly country: string;
  readonly terms: readonly string[];
  readonly rows: readonly number[];
  /** Of these, rows with all columns; the others are light. */
  readonly full: readonly number[];
  /** Partitions of terms too large for one, by the term's place; equal parts when left out. */
  readonly parts?: ReadonlyMap<number, readonly number[]>;
}

/** Of a full row's bytes. */
export const LIGHT_SHARE = 1 / 8;

export interface PlannedTerms extends PlannedPartition {
  readonly firstTerm: string;
  readonly lastTerm: string;
  readonly startInTerm: number;
}

export interface PlannedPostings extends PlannedTerms {
  /** Whether all its rows are light. */
  readonly isLight: boolean;
}

/** In full rows. */
export function weightOf(rows: number, full: number): number {
  return full + (rows - full) * LIGHT_SHARE;
}

/**
 * Cuts the run: a term heavier than `target` has partitions of its own; others stand together, whole. No partition
 * mixes countries.
 */
export function planTermRun(countries: readonly CountryTerms[], target: number): PlannedPostings[] {
  const partitions: PlannedPostings[] = [];
  let position = 0;
  for (const { country, terms, rows, full, parts } of countries) {
    const weigh = (place: number): number => weightOf(rows[place] ?? 0, full[place] ?? 0);
    const stretch: Stretch = {
      hashes: Uint32Array.from(terms, hashOf),
      weights: sums(terms.length, weigh),
    };
    const add = (first: number, last: number, count: number, startInTerm: number): void => {
      const [firstTerm, lastTerm] = [terms[first] ?? "", terms[last] ?? ""];
      const [start, end] = [position, position + count];
      const isLight = isZero(full, first, last + 1);
      partitions.push({ country, start, end, firstTerm, lastTerm, startInTerm, isLight });
      position = end;
    };
    const addStretch = (from: number, to: number): void => {
      for (const [first, end] of cutStretch(stretch, from, to, target)) {
        let count = 0;
        for (let i = first; i < end; i++) count += rows[i] ?? 0;
        add(first, end - 1, count, 0);
      }
    };

    let from = 0;
    for (let place = 0; place < terms.length; place++) {
      const weight = weigh(place);
      if (weight <= target) continue;
      addStretch(from, place);
      from = place + 1;
      let startInTerm = 0;
      for (const count of parts?.get(place) ?? equalParts(rows[place] ?? 0, Math.ceil(weight / target))) {
        add(place, place, count, startInTerm);
        startInTerm += count;
      }
    }
    addStretch(from, terms.length);
  }
  return partitions;
}

/** Prefix sums. */
function sums(length: number, valueAt: (place: number) => number): Float64Array {
  const all = new Float64Array(length + 1);
  for (let i = 0; i < length; i++) all[i + 1] = (all[i] ?? 0) + valueAt(i);
  return all;
}

function isZero(values: readonly number[], start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (values[i] !== 0) return false;
  return true;
}

function equalParts(rows: number, parts: number): number[] {
  const edge = (part: number): number => Math.floor((part * rows) / parts);
  return Array.from({ length: parts }, (_, part) => edge(part + 1) - edge(part));
}

interface Stretch {
  readonly hashes: Uint32Array;
  readonly weights: Float64Array;
}

/**
 * Halves the terms until each part weighs at most `target`: in its middle third, before the term with the least hash.
 * That choice does not depend on rows elsewhere, so most partitions stay as they are.
 */
function cutStretch(
  { hashes, weights }: Stretch,
  from: number,
  to: number,
  target: number,
): (readonly [start: number, end: number])[] {
  const parts: (readonly [start: number, end: number])[] = [];

  function halve(start: number, end: number): void {
    const [low, weight] = [weights[start] ?? 0, (weights[end] ?? 0) - (weights[start] ?? 0)];
    if (weight <= target || end - start < 2) {
      if (end > start) parts.push([start, end]);
      return;
    }
    const first = Math.min(end - 1, Math.max(start + 1, firstAtLeast(weights, low + weight / 3, start, end)));
    let cut = first;
    for (let i = first; i < end && (weights[i] ?? 0) <= low + (weight * 2) / 3; i++) {
      if ((hashes[i] ?? 0) < (hashes[cut] ?? 0)) cut = i;
    }
    halve(start, cut);
    halve(cut, end);
  }

  halve(from, to);
  return parts;
}

function firstAtLeast(values: Float64Array, bound: number, start: number, end: number): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** FNV-1a, mixed once more: its low bits alone tell short words badly apart. */
function hashOf(term: string): number {
  let hash = 2166136261;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 16777619);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}
