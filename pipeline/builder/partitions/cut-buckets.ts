/**
 * Divides the packs of the primary copy among tasks, without changing the packs.
 * @module
 */
import { endOfCountry, orderKey } from "../rows/index.ts";
import type { PlannedUnit } from "./plan-packs.ts";
import { leafKey, type PlannedLeaf } from "./plan-partitions.ts";

/** Consecutive packs for one task. */
export interface Bucket {
  /** The rows with order keys (`orderKey`) from `start` to `end` (exclusive). Text, because the keys have 64 bits. */
  readonly start: string;
  readonly end: string;
  /** The packs. Their rows are counted from the bucket's first row. */
  readonly units: readonly PlannedUnit[];
}

interface GroupToCut {
  readonly first: string;
  readonly last: string;
  readonly buckets: number;
}

/**
 * Cuts the units of a group of countries into `buckets` buckets with about the same number of rows. An empty bucket is
 * undefined.
 */
export function cutBuckets(
  units: readonly PlannedUnit[],
  { first, last, buckets }: GroupToCut,
): (Bucket | undefined)[] {
  const base = units[0] ? firstOf(units[0]).start : 0;
  const rows = (lastOf(units.at(-1))?.end ?? 0) - base;
  const shares: PlannedUnit[][] = Array.from({ length: buckets }, () => []);
  let share = 0;
  let before: PlannedLeaf | undefined;
  for (const unit of units) {
    const leaf = firstOf(unit);
    // Parts of one finest cell have equal keys, so one task sorts them.
    if (!before || leafKey(before) !== leafKey(leaf)) share = Math.floor(((leaf.start - base) * buckets) / rows);
    shares[share]?.push(unit);
    before = lastOf(unit);
  }
  let end = endOfCountry(last);
  return shares
    .map((members, index) => ({ members, index }))
    .reverse()
    .map(({ members, index }): Bucket | undefined => {
      const [unit] = members;
      if (!unit) return undefined;
      // The first unit is in the first bucket.
      const start = index === 0 ? orderKey(first, 0, 0) : leafKey(firstOf(unit));
      const bucket = { start: String(start), end: String(end), units: countedFrom(members, firstOf(unit).start) };
      end = start;
      return bucket;
    })
    .reverse();
}

function countedFrom(units: readonly PlannedUnit[], first: number): PlannedUnit[] {
  const moved = (leaf: PlannedLeaf): PlannedLeaf => ({ ...leaf, start: leaf.start - first, end: leaf.end - first });
  return units.map(({ packs }) => ({ packs: packs.map((pack) => pack.map(moved)) }));
}

function firstOf({ packs }: PlannedUnit): PlannedLeaf {
  const leaf = packs[0]?.[0];
  if (!leaf) throw new Error("a unit of no packs");
  return leaf;
}

function lastOf(unit: PlannedUnit | undefined): PlannedLeaf | undefined {
  return unit?.packs.at(-1)?.at(-1);
}

/** A range of order keys, with the number of rows in it. */
export interface KeyRange {
  /** Order keys (`orderKey`) from `start` to `end` (exclusive). */
  readonly start: bigint;
  readonly end: bigint;
  readonly rows: number;
}

/**
 * Returns the ranges of order keys of slices, with their rows. The slices are in order and belong to consecutive
 * countries up to `lastCountry`. Slices with the same first key have one range.
 */
export function leafRanges(leaves: readonly PlannedLeaf[], lastCountry: string): KeyRange[] {
  const ranges: KeyRange[] = [];
  for (const leaf of leaves) {
    const [start, rows, last] = [leafKey(leaf), leaf.end - leaf.start, ranges.at(-1)];
    if (last?.start === start) ranges[ranges.length - 1] = { ...last, rows: last.rows + rows };
    else {
      if (last) ranges[ranges.length - 1] = { ...last, end: start };
      ranges.push({ start, end: endOfCountry(lastCountry), rows });
    }
  }
  return ranges;
}
