/**
 * Covers a region with cells of the run `count_cell`: cells inside, all of whose rows match, and cells on the boundary, whose
 * rows must be measured. A cell contains representative points, but a search measures geometries: a geometry contains or
 * surrounds its point, and is at most as wide and high as the cell of its size class. So a cell is inside if the region holds
 * its box, extended by that size on each side.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import { cellBox, levelsOf } from "../../../data/format/cell-levels.ts";
import { cellSize, SIZE_CLASS_BITS } from "../../../data/format/geohash.ts";
import type { Region } from "../plan/region.ts";

/** Consecutive cells of a size class. */
export interface CellRange {
  readonly sizeClass: number;
  readonly bits: number;
  readonly first: number;
  readonly last: number;
}

export interface Cover {
  /** Cells whose rows all match, at the level of bits at which to read them. */
  readonly inside: readonly CellRange[];
  /** Cells of `SIZE_CLASS_BITS` bits on the boundary, whose rows must be measured. */
  readonly boundary: readonly CellRange[];
  /** Boxes of the cells inside and on the boundary. They contain the representative points of all rows. */
  readonly boxes: readonly BBox[];
  /** Boxes of the boundary cells of the first size class. */
  readonly smallBoundary: readonly BBox[];
}

/** The regions that must all contain a row. If empty, every row matches. */
export type Regions = readonly Pick<Region, "holds" | "reaches">[];

export interface CoverOptions {
  /** Minimum bits of the cells inside, for groups of cells. */
  readonly leastBits: number;
  /** Whether to read cells inside at the bits that list rows. */
  readonly needsRows: boolean;
  /** Size classes; points have only the first. */
  readonly classes: readonly number[];
  /** Whether all geometries are points, which have no size. */
  readonly arePoints: boolean;
}

/** Maximum number of cells tested at one level of bits. A long boundary has larger cells instead. */
const MAX_OPEN_CELLS = 50_000;

/** Positions and edges of cells are rounded differently: 0.1 mm. */
const SLACK_DEG = 1e-9;

/** Yields after this number of tests. */
const TESTS_AT_A_TIME = 500;

/** Covers the regions with cells. Yields between parts of the work, so that the caller can do other work. */
export function* coverRegions(regions: Regions, options: CoverOptions): Generator<void, Cover> {
  const [inside, boundary]: [CellRange[], CellRange[]] = [[], []];
  const [boxes, smallBoundary]: [BBox[], BBox[]] = [[], []];
  let tests = 0;
  for (const sizeClass of options.classes) {
    const rowBits = SIZE_CLASS_BITS[sizeClass] ?? 0;
    const levels = levelsOf(sizeClass).filter((bits) => bits > 0 && bits <= rowBits);
    const size = options.arePoints ? { widthDeg: 0, heightDeg: 0 } : cellSize(rowBits);
    let open: readonly CellRange[] = [{ sizeClass, bits: 0, first: 0, last: 0 }];
    for (const [index, bits] of [0, ...levels].entries()) {
      const crossing: CellRange[] = [];
      for (const { first, last } of open) {
        for (let cell = first; cell <= last; cell++) {
          if (++tests % TESTS_AT_A_TIME === 0) yield;
          const box = cellBox(cell, bits);
          const reach = extended(box, size);
          if (!regions.every((region) => region.reaches(reach))) continue;
          const range = { sizeClass, bits, first: cell, last: cell };
          if (!regions.every((region) => region.holds(reach))) crossing.push(range);
          else {
            push(inside, readAt(range, rowBits, options));
            boxes.push(box);
          }
        }
      }
      const next = levels[index];
      open = [];
      if (next !== undefined && crossing.length * 2 ** (next - bits) <= MAX_OPEN_CELLS) {
        open = crossing.map((range) => descendants(range, next));
        continue;
      }
      for (const range of crossing) {
        push(boundary, descendants(range, rowBits));
        boxes.push(cellBox(range.first, bits));
        if (sizeClass === 0) smallBoundary.push(cellBox(range.first, bits));
      }
    }
  }
  return { inside: inOrder(inside), boundary: inOrder(boundary), boxes, smallBoundary };
}

/** Sorts ranges without overlaps by size class, bits and cell, and joins neighbours. */
export function inOrder(ranges: readonly CellRange[]): CellRange[] {
  const joined: CellRange[] = [];
  const sorted = ranges.toSorted((a, b) => a.sizeClass - b.sizeClass || a.bits - b.bits || a.first - b.first);
  for (const range of sorted) push(joined, range);
  return joined;
}

/** The cells to read for the rows of a cell inside. */
function readAt(cell: CellRange, rowBits: number, { leastBits, needsRows }: CoverOptions): CellRange {
  if (needsRows) return descendants(cell, rowBits);
  const levels = levelsOf(cell.sizeClass);
  const bits = levels.find((level) => level >= cell.bits && level >= leastBits) ?? rowBits;
  return descendants(cell, bits);
}

function descendants({ sizeClass, bits, first, last }: CellRange, below: number): CellRange {
  const children = 2 ** (below - bits);
  return { sizeClass, bits: below, first: first * children, last: last * children + children - 1 };
}

/** Adds the range to the last one if it continues it. */
function push(ranges: CellRange[], range: CellRange): void {
  const before = ranges.at(-1);
  const continues =
    before?.sizeClass === range.sizeClass && before.bits === range.bits && before.last + 1 === range.first;
  if (before && continues) ranges[ranges.length - 1] = { ...before, last: range.last };
  else ranges.push(range);
}

function extended([west, south, east, north]: BBox, { widthDeg, heightDeg }: ReturnType<typeof cellSize>): BBox {
  const [padLon, padLat] = [widthDeg + SLACK_DEG, heightDeg + SLACK_DEG];
  const [low, high] = [Math.max(-90, south - padLat), Math.min(90, north + padLat)];
  if (east - west + 2 * padLon >= 360) return [-180, low, 180, high];
  // geometries do not cross the antimeridian, but cells beside it may have rows on it
  return [Math.max(-180, west - padLon), low, Math.min(180, east + padLon), high];
}
