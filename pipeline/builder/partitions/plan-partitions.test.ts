import fc from "fast-check";
import { expect, test } from "vitest";
import { commonBits, GEOHASH_BITS } from "../../../data/format/geohash.ts";
import { type CellCount, type PlannedLeaf, planRun } from "./plan-partitions.ts";

interface KeyedRow {
  readonly country: string;
  readonly sizeClass: number;
  readonly geohash: number;
}

/** Rows concentrated in a few positions, so that cells of all sizes are full. */
const rows = fc
  .array(
    fc.record({
      country: fc.constantFrom("DE", "MC"),
      sizeClass: fc.constantFrom(0, 1),
      place: fc.constantFrom(0, 5, 2 ** 20, 2 ** 49, 2 ** 49 + 1),
      offset: fc.oneof(fc.constant(0), fc.nat(40), fc.nat(2 ** 30)),
    }),
    { minLength: 1, maxLength: 120 },
  )
  .map((list): KeyedRow[] =>
    list
      .map(({ country, sizeClass, place, offset }) => ({ country, sizeClass, geohash: place + offset }))
      .sort((a, b) => compare(a.country, b.country) || a.sizeClass - b.sizeClass || a.geohash - b.geohash),
  );

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function cellsOf(list: readonly KeyedRow[]): CellCount[] {
  const cells = new Map<string, CellCount>();
  for (const { country, sizeClass, geohash } of list) {
    const key = `${country} ${sizeClass} ${geohash}`;
    const { rows: count } = cells.get(key) ?? { rows: 0 };
    cells.set(key, { country, sizeClass, start: geohash, rows: count + 1 });
  }
  return [...cells.values()];
}

test("partitions are the leaves of the trie: complete, ordered, no larger than the target, no smaller than needed", () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 40 }), (list, target) => {
      const planned = planRun(cellsOf(list), target);
      checkContiguous(planned, list.length, target);
      const parts = planned.map(({ start, end }) => list.slice(start, end));
      for (const [i, part] of parts.entries()) {
        expect(new Set(part.map(({ country, sizeClass }) => `${country}${sizeClass}`)).size).toBe(1);
        expect(part[0]?.country).toBe(planned[i]?.country);
        checkLeaf(list, part, target);
      }
    }),
  );
});

function checkContiguous(planned: readonly PlannedLeaf[], rowCount: number, target: number): void {
  expect(planned[0]?.start).toBe(0);
  expect(planned.at(-1)?.end).toBe(rowCount);
  for (const [i, { start, end }] of planned.entries()) {
    expect(end).toBeGreaterThan(start);
    expect(end - start).toBeLessThanOrEqual(target);
    if (i > 0) expect(start).toBe(planned[i - 1]?.end);
  }
}

/**
 * The smallest cell around the part with more rows than the target must be its parent, so a larger leaf was
 * impossible.
 */
function checkLeaf(list: readonly KeyedRow[], part: readonly KeyedRow[], target: number): void {
  const [first, last] = [part[0] as KeyedRow, part.at(-1) as KeyedRow];
  const peers = list.filter(({ country, sizeClass }) => country === first.country && sizeClass === first.sizeClass);
  const inCell = (bits: number): number =>
    peers.filter(({ geohash }) => commonBits(geohash, first.geohash) >= bits).length;
  const shared = commonBits(first.geohash, last.geohash);
  if (inCell(GEOHASH_BITS) > target) {
    expect(shared).toBe(GEOHASH_BITS);
    return;
  }
  let bits = 0;
  while (inCell(bits) > target) bits++;
  expect(part.length).toBe(inCell(bits));
  expect(shared).toBeGreaterThanOrEqual(bits);
}

test("coarse counts give the same cuts as fine counts where a coarse cell fits", () => {
  const cell = (start: number, count: number): CellCount => ({ country: "MC", sizeClass: 0, start, rows: count });
  const half = 2 ** (GEOHASH_BITS - 1);
  expect(planRun([cell(0, 7), cell(half, 8)], 10)).toEqual([
    { country: "MC", sizeClass: 0, first: 0, start: 0, end: 7 },
    { country: "MC", sizeClass: 0, first: half, start: 7, end: 15 },
  ]);
});
