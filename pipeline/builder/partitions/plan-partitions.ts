/**
 * Plans how a run is cut into slices, given numbers of rows per cell.
 * @module
 */
import { GEOHASH_BITS } from "../../../data/format/geohash.ts";
import { orderKey } from "../rows/index.ts";

/** Returns the lowest order key that a row of the slice can have. */
export function leafKey({ country, sizeClass, first }: PlannedLeaf): bigint {
  return orderKey(country, sizeClass, first);
}

/** Rows of one country and size class in one cell of keys: geohashes or ids. */
export interface CellCount {
  readonly country: string;
  readonly sizeClass: number;
  /** The lowest key in the cell, a number of `GEOHASH_BITS` bits. */
  readonly start: number;
  readonly rows: number;
}

/** A planned slice: rows `start` to `end` (exclusive) of the run, all of one country and size class. */
export interface PlannedLeaf {
  readonly country: string;
  readonly start: number;
  readonly end: number;
  readonly sizeClass: number;
  /** Lowest key that a row can have. The parts of a divided finest cell share it. */
  readonly first: number;
}

/**
 * Returns the slices of a run with these cells, which are in the run's order and do not overlap. Each country and size
 * class is a binary trie over the bits of keys, whose leaves are slices of at most `target` rows. A finest cell with
 * more rows is cut into equal parts. Cuts do not depend on other cells, so most slices are the same in the next
 * release.
 */
export function planRun(cells: readonly CellCount[], target: number): PlannedLeaf[] {
  const partitions: PlannedLeaf[] = [];
  let position = 0;

  function emit({ country, sizeClass }: CellCount, first: number, rows: number): void {
    for (const end of cuts(rows, target)) {
      const start = partitions.at(-1)?.end ?? 0;
      partitions.push({ country, sizeClass, first, start, end: position + end });
    }
    position += rows;
  }

  function cut(group: readonly CellCount[], first: number, bits: number): void {
    const [cell] = group;
    if (!cell) return;
    const rows = group.reduce((sum, each) => sum + each.rows, 0);
    if (rows <= target || bits === GEOHASH_BITS) {
      emit(cell, first, rows);
      return;
    }
    const middle = first + 2 ** (GEOHASH_BITS - bits - 1);
    const split = group.findIndex(({ start }) => start >= middle);
    const lower = split === -1 ? group.length : split;
    cut(group.slice(0, lower), first, bits + 1);
    cut(group.slice(lower), middle, bits + 1);
  }

  for (const group of groupsOf(cells)) cut(group, 0, 0);
  return partitions;
}

function cuts(rows: number, target: number): number[] {
  const parts = Math.ceil(rows / target);
  return Array.from({ length: parts }, (_, i) => Math.floor(((i + 1) * rows) / parts));
}

function groupsOf(cells: readonly CellCount[]): CellCount[][] {
  const groups: CellCount[][] = [];
  for (const cell of cells) {
    const group = groups.at(-1);
    const [first] = group ?? [];
    if (group && first?.country === cell.country && first.sizeClass === cell.sizeClass) group.push(cell);
    else groups.push([cell]);
  }
  return groups;
}
