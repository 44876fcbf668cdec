/**
 * Reads the run `count_cell` of a collection for ranges of cells.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { CellBlock, CellSection, LargeRow } from "../../../data/format/cell-counts.ts";
import { cellTerm, listsRows, TOTAL } from "../../../data/format/cell-levels.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { isPage } from "../../../data/format/manifest.ts";
import { firstIndex } from "../../../data/format/sorted.ts";
import { CountLimitError } from "../contract/errors.ts";
import { type Countries, isInCountries } from "../contract/query.ts";
import { findPartitions } from "../index-tree/tree.ts";
import type { Session } from "../store/session.ts";
import type { CellRange } from "./cover.ts";

/** Bytes of slices that a count reads at most. */
const MAX_SLICES_BYTES = 16 * 1024 * 1024;

export interface CellTables {
  /** Calls `take` for each cell of the ranges with rows of the facet. */
  each(facet: string, ranges: readonly CellRange[], take: (cell: CountedCell) => void): void;
}

/** A cell with its counts, or with the values of its rows. */
export interface CountedCell {
  readonly country: string;
  readonly sizeClass: number;
  readonly bits: number;
  readonly cell: number;
  /** Number of rows of the cell. Only set for the facet `TOTAL`, otherwise 0. */
  readonly rows: number;
  /** Calls `take` for each value with its number of rows. */
  values(take: (value: string, rows: number) => void): void;
  /** The larger rows of the cell one by one. Only for the facet `TOTAL`, and not in the first size class. */
  readonly large: readonly LargeRow[];
  /** Returns the values of each row, in the order of geohash and id. Undefined where the cell has only counts. */
  lists: (() => string[][]) | undefined;
}

export interface CellsAsked {
  readonly collection: CollectionName;
  readonly country: Countries | undefined;
  readonly facets: readonly string[];
  /** Sorted by size class, bits and first cell. */
  readonly ranges: readonly CellRange[];
  /** Whether a box can contain representative points of the cells. */
  readonly isNear: (box: BBox) => boolean;
}

/** Reads all slices that have cells of the ranges. Throws `CountLimitError` if they have more than 16 MiB. */
export async function readCells(session: Session, wanted: CellsAsked): Promise<CellTables> {
  const { collection, country, facets, ranges, isNear } = wanted;
  const codes = country === undefined ? undefined : [country].flat();
  const spans = facets.flatMap((facet) => ranges.map((range) => spanOf(facet, range)));
  spans.sort((a, b) => (a.first < b.first ? -1 : 1));
  const overlaps = (first: string, last: string): boolean => {
    const at = firstIndex(spans.length, (index) => (spans[index]?.last ?? "") >= first);
    return (spans[at]?.first ?? "\uffff") <= last;
  };
  const found = await findPartitions(session, { collection, run: "count_cell" }, (node) => {
    if (!isNear(node.bbox)) return false;
    if (!isPage(node)) {
      if (!isInCountries(node.country, country)) return false;
      return "first_term" in node && overlaps(node.first_term, node.last_term);
    }
    const [[from, first], [to, last]] = [node.first ?? ["", ""], node.last ?? ["\uffff", ""]];
    if (codes && !codes.some((code) => code >= from && code <= to)) return false;
    return from !== to || overlaps(first, last);
  });
  const bytes = found.reduce((sum, { node }) => sum + node.bytes, 0);
  if (bytes > MAX_SLICES_BYTES) {
    throw new CountLimitError(
      `counting takes ${bytes} bytes of counts, at most ${MAX_SLICES_BYTES} are allowed: count a smaller area, a lower level, or with fewer conditions`,
    );
  }
  const slices = await Promise.all(
    found.map(async (ref) => ({ country: ref.node.country, blocks: (await session.readCells(ref)).blocks })),
  );
  return {
    each(facet, own, take) {
      for (const slice of slices) {
        for (const block of slice.blocks.filter((each) => each.facet === facet))
          eachCell(slice.country, block, own, take);
      }
    },
  };
}

function spanOf(facet: string, { sizeClass, bits, first, last }: CellRange): { first: string; last: string } {
  const term = (cell: number): string => cellTerm(facet, { bits, sizeClass, cell });
  return { first: term(first), last: term(last) };
}

function eachCell(
  country: string,
  block: CellBlock,
  ranges: readonly CellRange[],
  take: (cell: CountedCell) => void,
): void {
  for (const section of block.sections) {
    const { sizeClass, bits, cells } = section;
    const own = ranges.filter((range) => range.sizeClass === sizeClass && range.bits === bits);
    if (own.length === 0) continue;
    const starts = startsOf(block.facet, section);
    let at = 0;
    for (const [index, cell] of cells.entries()) {
      while (at < own.length && (own[at]?.last ?? 0) < cell) at++;
      const range = own[at];
      if (!range) break;
      if (range.first <= cell) take(cellAt(country, block, { section, starts, index }));
    }
  }
}

interface Starts {
  /** Position of the first count of each cell. */
  readonly counts: Float64Array;
  /** Position of the first code of each cell. */
  readonly codes: Float64Array;
}

function startsOf(facet: string, { sizeClass, bits, sizes, cells, counts }: CellSection): Starts {
  const starts = { counts: new Float64Array(cells.length + 1), codes: new Float64Array(cells.length + 1) };
  if (facet === TOTAL) {
    for (const [index, count] of counts.entries()) starts.counts[index + 1] = (starts.counts[index] ?? 0) + count;
    return starts;
  }
  const isOfRows = listsRows(sizeClass, bits);
  let [count, code] = [0, 0];
  for (const [index, size] of sizes.entries()) {
    starts.counts[index] = count;
    starts.codes[index] = code;
    for (let i = 0; i < size; i++) code += isOfRows ? (counts[count + i] ?? 0) : 1;
    count += size;
  }
  starts.counts[sizes.length] = count;
  starts.codes[sizes.length] = code;
  return starts;
}

function cellAt(
  country: string,
  { facet, values }: CellBlock,
  { section, starts, index }: { readonly section: CellSection; readonly starts: Starts; readonly index: number },
): CountedCell {
  const { sizeClass, bits, cells, codes, counts } = section;
  const isOfRows = facet !== TOTAL && listsRows(sizeClass, bits);
  const [firstCode = 0, endCode = 0] = starts.codes.subarray(index, index + 2);
  const [firstCount = 0, endCount = 0] = starts.counts.subarray(index, index + 2);
  return {
    country,
    sizeClass,
    bits,
    cell: cells[index] ?? 0,
    rows: facet === TOTAL ? (counts[index] ?? 0) : 0,
    large: section.figures?.slice(firstCount, endCount) ?? [],
    values(take) {
      for (let at = firstCode; at < endCode; at++) {
        take(values[codes[at] ?? 0] ?? "", isOfRows ? 1 : (counts[firstCount + at - firstCode] ?? 0));
      }
    },
    lists: isOfRows
      ? () => {
          let at = firstCode;
          return Array.from({ length: endCount - firstCount }, (_, row) => {
            const end = at + (counts[firstCount + row] ?? 0);
            const own: string[] = [];
            for (; at < end; at++) own.push(values[codes[at] ?? 0] ?? "");
            return own;
          });
        }
      : undefined,
  };
}
