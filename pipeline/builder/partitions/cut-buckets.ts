/** Divides a run's packs among tasks, without changing the packs. @module */
import { endOfCountry, orderKey } from "../rows/index.ts";
import type { PlannedUnit } from "./plan-packs.ts";
import { leafKey, type PlannedLeaf } from "./plan-partitions.ts";

/** Consecutive packs of a run, for one task. */
export interface Bucket {
  /** Half-open range of order keys, as text because they are 64-bit. */
  readonly start: string;
  readonly end: string;
  /** Rows are counted from the bucket's first row. */
  readonly units: readonly PlannedUnit[];
}

interface GroupToCut {
  readonly first: string;
  readonly last: string;
  readonly buckets: number;
}

/**
 * Cuts the units of a group of countries into buckets with about the same number of rows. Undefined is an empty
 * bucket.
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

export interface KeyRange {
  /** Half-open range of order keys. */
  readonly start: bigint;
  readonly end: bigint;
  readonly rows: number;
}

/** Returns the ranges of the leaves of consecutive countries up to `lastCountry`. */
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
