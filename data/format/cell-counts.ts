/**
 * Slices of the run `count_cell`. A cell (the first bits of a geohash) has the number of its rows with each value of a
 * facet. The cells with the bits of the size class (`listsRows`) list the values of each row instead. A slice has
 * consecutive cells of a country, in the order of facet, bits, size class and cell.
 *
 * @module
 */

import type { BBox } from "./bbox.ts";
import { cellTerm, listsRows, TOTAL } from "./cell-levels.ts";
import { GEOHASH_BITS, SIZE_CLASS_BITS } from "./geohash.ts";
import { type Deflate, inflate } from "./inflate.ts";
import { MAX_SLICE_BYTES } from "./limits.ts";
import { fromUtf8, toUtf8 } from "./utf8.ts";
import { ByteReader, ByteWriter } from "./varint.ts";

/**
 * Consecutive cells of a facet with the same number of bits, for the rows of one size class. The facet `TOTAL` counts
 * rows and has no values.
 */
export interface CellSection {
  readonly bits: number;
  readonly sizeClass: number;
  /** Ascending. */
  readonly cells: readonly number[];
  /**
   * For each cell the number of its different values; if cells list rows, the number of its rows. Empty for `TOTAL`.
   */
  readonly sizes: readonly number[];
  /**
   * For each cell its values in order, as indices into the values of the block; if cells list rows, the values of row
   * after row. Empty for `TOTAL`.
   */
  readonly codes: readonly number[];
  /**
   * For each entry of `codes` the number of rows; if cells list rows, for each row the number of its values. For
   * `TOTAL`, for each cell the number of rows.
   */
  readonly counts: readonly number[];
  /** The rows of all cells, if `hasFigures`. */
  readonly figures?: readonly LargeRow[];
}

/** A row whose geometry is larger than a cell of 30 bits: size class 1 or higher. */
export interface LargeRow {
  /** Row number, counted from the country's first. */
  readonly number: number;
  /** The first 30 bits of the geohash of its representative point. */
  readonly fineCell: number;
  /** The box of its geometry. After reading it is larger, as from `outwardBox`. */
  readonly bbox: BBox;
}

/** Bits of `fineCell`. */
export const FINE_BITS = 30;

const BOX_SCALE = 1e5;

/** The box in steps of 1e-5 degrees from the south-west corner of the map: one to two steps larger on each side. */
function stepsOf([west, south, east, north]: BBox): [west: number, south: number, east: number, north: number] {
  const low = (degrees: number, least: number): number => Math.max(0, Math.floor((degrees - least) * BOX_SCALE) - 1);
  const high = (degrees: number, least: number): number => Math.ceil((degrees - least) * BOX_SCALE) + 1;
  return [low(west, -180), low(south, -90), high(east, -180), high(north, -90)];
}

/**
 * Returns the box that a reader gets for a stored box: up to 2e-5 degrees larger on each side, because boxes are stored
 * in whole steps of 1e-5 degrees.
 */
export function outwardBox(bbox: BBox): BBox {
  const [west, south, east, north] = stepsOf(bbox);
  return boxOfSteps(west, south, east, north);
}

function boxOfSteps(west: number, south: number, east: number, north: number): BBox {
  return [
    west / BOX_SCALE - 180,
    south / BOX_SCALE - 90,
    Math.min(180, east / BOX_SCALE - 180),
    Math.min(90, north / BOX_SCALE - 90),
  ];
}

/** Sections of one facet, and the values that their codes are indices of. */
export interface CellBlock {
  readonly facet: string;
  readonly values: readonly string[];
  readonly sections: readonly CellSection[];
}

/** A slice in memory. */
export interface CellCounts {
  readonly blocks: readonly CellBlock[];
  /** Number of cells in all sections. */
  readonly cells: number;
  /** Approximate memory. */
  readonly sizeBytes: number;
}

/** Returns the bytes of a slice of the run `count_cell`, compressed. */
export function writeCellCounts(blocks: readonly CellBlock[], deflate: Deflate): Uint8Array {
  const out = new ByteWriter();
  const text = (value: string): void => {
    const bytes = toUtf8(value);
    out.varint(bytes.length);
    out.raw(bytes);
  };
  for (const { facet, values, sections } of blocks) {
    text(facet);
    out.varint(values.length);
    for (const value of values) text(value);
    out.varint(sections.length);
    for (const { bits, sizeClass, cells, sizes, codes, counts, figures = [] } of sections) {
      for (const number of [bits, sizeClass, cells.length]) out.varint(number);
      for (const [index, cell] of cells.entries()) out.varint(cell - (index === 0 ? 0 : (cells[index - 1] ?? 0) + 1));
      if (facet !== TOTAL) for (const size of sizes) out.varint(size);
      for (const count of counts) out.varint(count);
      for (const code of codes) out.varint(code);
      writeFigures(out, figures);
    }
  }
  return deflate(out.bytes());
}

/** One plane per figure. */
function writeFigures(out: ByteWriter, figures: readonly LargeRow[]): void {
  const boxes = figures.map(({ bbox }) => stepsOf(bbox));
  for (const { number } of figures) out.varint(number);
  for (const { fineCell } of figures) out.varint(fineCell);
  for (const axis of [0, 1] as const) for (const box of boxes) out.varint(box[axis]);
  for (const axis of [0, 1] as const) for (const box of boxes) out.varint((box[axis + 2] ?? 0) - box[axis]);
}

function readFigures(rows: number, read: (count: number) => number[]): LargeRow[] {
  const [numbers, cells, wests, souths, widths, heights] = Array.from({ length: 6 }, () => read(rows)) as number[][];
  return Array.from({ length: rows }, (_, row): LargeRow => {
    const [west, south] = [wests?.[row] ?? 0, souths?.[row] ?? 0];
    const bbox = boxOfSteps(west, south, west + (widths?.[row] ?? 0), south + (heights?.[row] ?? 0));
    return { number: numbers?.[row] ?? 0, fineCell: cells?.[row] ?? 0, bbox };
  });
}

const BYTES_PER_NUMBER = 8;

/** Reads a slice. Throws if it is damaged, or inflates to more than `MAX_SLICE_BYTES`. */
export function readCellCounts(slice: Uint8Array): CellCounts {
  const bytes = inflate(slice, { maxBytes: MAX_SLICE_BYTES });
  const reader = new ByteReader(bytes);
  const text = (): string => fromUtf8(reader.raw(reader.varint()));
  const blocks: CellBlock[] = [];
  let cells = 0;
  let numbers = 0;
  while (reader.left > 0) {
    const facet = text();
    const values = reader.list(text);
    const sections = reader.list(() => readSection(reader, facet, values.length));
    for (const section of sections) {
      cells += section.cells.length;
      numbers += section.cells.length + section.sizes.length + section.codes.length + section.counts.length;
    }
    blocks.push({ facet, values, sections });
  }
  return { blocks, cells, sizeBytes: bytes.length + BYTES_PER_NUMBER * numbers };
}

function readSection(reader: ByteReader, facet: string, values: number): CellSection {
  const [bits, sizeClass] = [reader.varint(), reader.varint()];
  if (bits > GEOHASH_BITS || SIZE_CLASS_BITS[sizeClass] === undefined) {
    throw new Error(`a section has cells of ${bits} bits of size class ${sizeClass}`);
  }
  let cell = -1;
  const cells = reader.list(() => {
    cell += reader.varint() + 1;
    return cell;
  });
  if (cell >= 2 ** bits) throw new Error(`a section of ${bits} bits has cell ${cell}`);
  const sizes = facet === TOTAL ? [] : cells.map(() => reader.varint());
  const numbers = (count: number): number[] => reader.list(() => reader.varint(), count);
  const sum = (list: readonly number[]): number => list.reduce((total, each) => total + each, 0);
  const counts = numbers(facet === TOTAL ? cells.length : sum(sizes));
  const codes = facet === TOTAL ? [] : numbers(listsRows(sizeClass, bits) ? sum(counts) : counts.length);
  const wrong = codes.find((code) => code >= values);
  if (wrong !== undefined) throw new Error(`a section of ${facet} has value ${wrong} of ${values}`);
  const section = { bits, sizeClass, cells, sizes, codes, counts };
  if (!hasFigures(facet, section)) return section;
  return { ...section, figures: readFigures(sum(counts), numbers) };
}

/**
 * Returns whether a section has `figures` (box and position of each row): cells of `TOTAL` that list rows, of size
 * class 1 or higher.
 */
export function hasFigures(facet: string, { sizeClass, bits }: Pick<CellSection, "sizeClass" | "bits">): boolean {
  return facet === TOTAL && sizeClass > 0 && listsRows(sizeClass, bits);
}

/**
 * Returns the terms by which the index finds a slice (`cellTerm`): of its first and of its last cell. Two empty texts
 * if there are no cells.
 */
export function termsOfCells(blocks: readonly CellBlock[]): readonly [first: string, last: string] {
  const [block, section] = [blocks[0], blocks[0]?.sections[0]];
  const lastBlock = blocks.at(-1);
  const last = lastBlock?.sections.at(-1);
  return [
    section ? cellTerm(block?.facet ?? "", { ...section, cell: section.cells[0] ?? 0 }) : "",
    last ? cellTerm(lastBlock?.facet ?? "", { ...last, cell: last.cells.at(-1) ?? 0 }) : "",
  ];
}
