/**
 * How the term run is cut. Pure: counts in, row ranges out.
 * @module
 */
import type { PlannedPartition } from "../partitions/plan-partitions.ts";

/** Rows of one term in one country. */
export interface TermCount {
  readonly country: string;
  readonly term: string;
  readonly rows: number;
  /** Rows among them that have their columns. */
  readonly full: number;
  /** Rows of each partition of a term that fits no single one; equal parts when left out. */
  readonly parts?: readonly number[] | undefined;
}

/** A light row takes about this share of a full one's bytes. */
export const LIGHT_SHARE = 1 / 8;

export interface PlannedTerms extends PlannedPartition {
  readonly firstTerm: string;
  readonly lastTerm: string;
  /** Rows of the first term before this partition. */
  readonly startInTerm: number;
}

/** A partition of postings. */
export interface PlannedPostings extends PlannedTerms {
  /** Whether no row of it has its columns. */
  readonly isLight: boolean;
}

/** What the rows of a term weigh, in full rows. */
export function weightOf({ rows, full }: TermCount): number {
  return full + (rows - full) * LIGHT_SHARE;
}

/**
 * Cuts the run: a term that weighs more than `target` has partitions of its own; others stand together, whole. No
 * partition mixes countries. The counts are in the run's order.
 */
export function planTermRun(counts: readonly TermCount[], target: number): PlannedPostings[] {
  const partitions: PlannedPostings[] = [];
  let position = 0;
  let stretch: TermCount[] = [];

  function closeStretch(): void {
    for (const members of cutStretch(stretch, target)) {
      const [first, last] = [members[0], members.at(-1)];
      if (!first || !last) continue;
      const end = position + members.reduce((sum, { rows }) => sum + rows, 0);
      const terms = { firstTerm: first.term, lastTerm: last.term, startInTerm: 0 };
      const isLight = members.every(({ full }) => full === 0);
      partitions.push({ country: first.country, start: position, end, ...terms, isLight });
      position = end;
    }
    stretch = [];
  }

  for (const count of counts) {
    const { country, term } = count;
    const weight = weightOf(count);
    if (weight <= target) {
      if (stretch[0] && stretch[0].country !== country) closeStretch();
      stretch.push(count);
      continue;
    }
    closeStretch();
    let startInTerm = 0;
    for (const rows of count.parts ?? equalParts(count.rows, Math.ceil(weight / target))) {
      const end = position + rows;
      const isLight = count.full === 0;
      partitions.push({ country, start: position, end, firstTerm: term, lastTerm: term, startInTerm, isLight });
      startInTerm += rows;
      position = end;
    }
  }
  closeStretch();
  return partitions;
}

function equalParts(rows: number, parts: number): number[] {
  const edge = (part: number): number => Math.floor((part * rows) / parts);
  return Array.from({ length: parts }, (_, part) => edge(part + 1) - edge(part));
}

/**
 * Halves a stretch of terms until each part weighs `target` at most: in its middle third, before the term with the least
 * hash. Which one that is does not change when rows come or go elsewhere, so partitions stay as they are.
 */
function cutStretch(stretch: readonly TermCount[], target: number): TermCount[][] {
  const hashes = Uint32Array.from(stretch, ({ term }) => hashOf(term));
  const weights = new Float64Array(stretch.length + 1);
  for (const [i, count] of stretch.entries()) weights[i + 1] = (weights[i] ?? 0) + weightOf(count);
  const parts: TermCount[][] = [];

  function halve(start: number, end: number): void {
    const [low, weight] = [weights[start] ?? 0, (weights[end] ?? 0) - (weights[start] ?? 0)];
    if (weight <= target || end - start < 2) {
      if (end > start) parts.push(stretch.slice(start, end));
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

  halve(0, stretch.length);
  return parts;
}

/** The first place from `start` to `end` where the rising values reach the bound; `end` when none does. */
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
