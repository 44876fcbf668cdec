/** Which slices share a pack: counts in, neighbours out. @module */
import { cutByHash } from "../packs/index.ts";
import { leafKey, type PlannedLeaf } from "./plan-partitions.ts";

/** Packs that are made together: what stands beside their slices shares a pack too. */
export interface PlannedUnit {
  readonly packs: readonly (readonly PlannedLeaf[])[];
}

export interface PackSizes {
  readonly packBytes: number;
  /** About, of a row in its slice. */
  readonly rowBytes: number;
  /** About, of what stands beside the slice. */
  readonly besideBytes: number;
}

/** What stands beside a unit is held in memory, however large packs may be. */
const MOST_BESIDE_BYTES = 64 * 2 ** 20;

/** Units of neighbouring slices; in each, packs of neighbouring slices of one country. The cuts depend on nothing but the leaves. */
export function planPacks(
  leaves: readonly PlannedLeaf[],
  { packBytes, rowBytes, besideBytes }: PackSizes,
): PlannedUnit[] {
  return cut(leaves, besideBytes, Math.min(packBytes, MOST_BESIDE_BYTES)).map((unit) => ({
    packs: byCountry(unit).flatMap((country) => cut(country, rowBytes, packBytes)),
  }));
}

/** Packs of neighbouring slices of any countries, each a unit of its own. */
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
