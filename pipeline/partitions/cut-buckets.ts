/** How a run's partitions are shared out to tasks; it does not change them. @module */
import { endOfCountry, orderKey } from "../rows/index.ts";
import type { PlannedLeaf } from "./plan-partitions.ts";

const LAST_COUNTRY = "ZZ";

/** Neighbouring partitions of a run, for one task. */
export interface Bucket {
  /** Order keys, the end exclusive; as text, since they are 64-bit. */
  readonly start: string;
  readonly end: string;
  readonly partitions: readonly PlannedLeaf[];
}

/** Buckets of about as many rows each; undefined stands for an empty one. */
export function cutBuckets(partitions: readonly PlannedLeaf[], count: number): (Bucket | undefined)[] {
  const rows = partitions.at(-1)?.end ?? 0;
  const shares: PlannedLeaf[][] = Array.from({ length: count }, () => []);
  let share = 0;
  for (const [i, partition] of partitions.entries()) {
    const before = partitions[i - 1];
    // parts of one finest cell have the same keys: one task sorts them
    if (!before || leafKey(before) !== leafKey(partition)) share = Math.floor((partition.start * count) / rows);
    shares[share]?.push(partition);
  }
  let end = endOfCountry(LAST_COUNTRY);
  return shares
    .reverse()
    .map((members): Bucket | undefined => {
      const [first] = members;
      if (!first) return undefined;
      const bucket = { start: String(leafKey(first)), end: String(end), partitions: members };
      end = leafKey(first);
      return bucket;
    })
    .reverse();
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

function leafKey({ country, sizeClass, first }: PlannedLeaf): bigint {
  return orderKey(country, sizeClass, first);
}

/** Neighbouring countries for each of `count` tasks, of about as many rows each. */
export function shareCountries(
  countries: readonly (readonly [country: string, rows: number])[],
  count: number,
): string[][] {
  const all = countries.reduce((sum, [, rows]) => sum + rows, 0);
  const shares: string[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const [country, rows] of countries) {
    shares[Math.floor((before * count) / all)]?.push(country);
    before += rows;
  }
  return shares;
}
