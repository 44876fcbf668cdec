/** Plans which slices share a pack. @module */
import { cutByHash } from "../packs/index.ts";
import { leafKey, type PlannedLeaf } from "./plan-partitions.ts";

/** Packs of the primary copy that are written together. The points of their slices share one pack. */
export interface PlannedUnit {
  readonly packs: readonly (readonly PlannedLeaf[])[];
}

interface PackSizes {
  readonly packBytes: number;
  /** Approximate bytes of a row in its slice. */
  readonly rowBytes: number;
  /** Approximate bytes of a row in the points. */
  readonly pointsBytes: number;
}

/** Data next to a unit is held in memory, so it has a limit. */
const MOST_BESIDE_BYTES = 64 * 2 ** 20;

/**
 * Divides consecutive slices into units, and each unit into packs of consecutive slices of one country. The result
 * depends only on the arguments.
 */
export function planPacks(
  leaves: readonly PlannedLeaf[],
  { packBytes, rowBytes, pointsBytes }: PackSizes,
): PlannedUnit[] {
  return cut(leaves, pointsBytes, Math.min(packBytes, MOST_BESIDE_BYTES)).map((unit) => ({
    packs: byCountry(unit).flatMap((country) => cut(country, rowBytes, packBytes)),
  }));
}

/** Divides consecutive slices of any countries into packs. Each unit has one pack. */
export function planMixedPacks(
  leaves: readonly PlannedLeaf[],
  { packBytes, rowBytes }: Pick<PackSizes, "packBytes" | "rowBytes">,
): PlannedUnit[] {
  return cut(leaves, rowBytes, packBytes).map((pack) => ({ packs: [pack] }));
}

function cut(leaves: readonly PlannedLeaf[], rowBytes: number, most: number): PlannedLeaf[][] {
  const weighed = leaves.map((leaf) => ({ weight: (leaf.end - leaf.start) * rowBytes, key: String(leafKey(leaf)) }));
  return cutByHash(weighed, most).map(({ start, end }) => leaves.slice(start, end));
}

function byCountry(leaves: readonly PlannedLeaf[]): PlannedLeaf[][] {
  const groups: PlannedLeaf[][] = [];
  for (const leaf of leaves) {
    const group = groups.at(-1);
    if (group && group[0]?.country === leaf.country) group.push(leaf);
    else groups.push([leaf]);
  }
  return groups;
}
