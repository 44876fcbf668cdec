/** How a run's packs are shared out to tasks; it does not change them. @module */
import { endOfCountry } from "../rows/index.ts";
import type { PlannedUnit } from "./plan-packs.ts";
import { leafKey, type PlannedLeaf } from "./plan-partitions.ts";

const LAST_COUNTRY = "ZZ";

/** Neighbouring packs of a run, for one task. */
export interface Bucket {
  /** Order keys, the end exclusive; as text, since they are 64-bit. */
  readonly start: string;
  readonly end: string;
  readonly units: readonly PlannedUnit[];
}

/** Buckets of about as many rows each; undefined stands for an empty one. */
export function cutBuckets(units: readonly PlannedUnit[], count: number): (Bucket | undefined)[] {
  const rows = lastOf(units.at(-1))?.end ?? 0;
  const shares: PlannedUnit[][] = Array.from({ length: count }, () => []);
  let share = 0;
  let before: PlannedLeaf | undefined;
  for (const unit of units) {
    const first = firstOf(unit);
    // parts of one finest cell have the same keys: one task sorts them
    if (!before || leafKey(before) !== leafKey(first)) share = Math.floor((first.start * count) / rows);
    shares[share]?.push(unit);
    before = lastOf(unit);
  }
  let end = endOfCountry(LAST_COUNTRY);
  return shares
    .reverse()
    .map((members): Bucket | undefined => {
      const [unit] = members;
      if (!unit) return undefined;
      const start = leafKey(firstOf(unit));
      const bucket = { start: String(start), end: String(end), units: members };
      end = start;
      return bucket;
    })
    .reverse();
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
  /** Order keys, the end exclusive. */
  readonly start: bigint;
  readonly end: bigint;
  readonly rows: number;
}

export function leafRanges(leaves: readonly PlannedLeaf[]): KeyRange[] {
  const ranges: KeyRange[] = [];
  for (const leaf of leaves) {
    const [start, rows, last] = [leafKey(leaf), leaf.end - leaf.start, ranges.at(-1)];
    if (last?.start === start) ranges[ranges.length - 1] = { ...last, rows: last.rows + rows };
    else {
      if (last) ranges[ranges.length - 1] = { ...last, end: start };
      ranges.push({ start, end: endOfCountry(LAST_COUNTRY), rows });
    }
  }
  return ranges;
}
