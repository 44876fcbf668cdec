/**
 * Bytes per row in the sample dataset by collection: all files divided by the rows. `npm run bench:weight` measures
 * them.
 */
export const BYTES_A_ROW: ReadonlyMap<string, number> = new Map(
  Object.entries({
    place: 367,
    place_building: 462,
    building: 264,
    address: 112,
    infrastructure: 209,
    land: 162,
    land_use: 640,
    water: 513,
    segment: 411,
    connector: 112,
    division: 494,
    division_area: 8667,
  }),
);

/**
 * Returns an estimate of the size of a dataset from its rows per type. Types that the sample dataset lacks do not
 * count.
 */
export function datasetSize(rows: ReadonlyMap<string, number>): {
  readonly bytes: number;
  /** Types with rows that do not count, because the sample dataset lacks them. */
  readonly unmeasured: readonly string[];
} {
  const present = [...rows].filter(([, count]) => count > 0);
  // Nearly every place of the sample has a building nearby.
  const joined = rows.get("building") ? (rows.get("place") ?? 0) : 0;
  const all = [...present, ["place_building", joined] as const];
  return {
    bytes: all.reduce((sum, [name, count]) => sum + count * (BYTES_A_ROW.get(name) ?? 0), 0),
    unmeasured: present.map(([type]) => type).filter((type) => !BYTES_A_ROW.has(type)),
  };
}
