/**
 * Makes slices of the run `count_cell`: numbers of rows per cell and value. Rows of a country come in the order of the
 * primary copy, so the cells of each size class and number of bits come in order too.
 * @module
 */
import { bboxUnion } from "../../../data/format/bbox.ts";
import {
  type CellBlock,
  type CellSection,
  FINE_BITS,
  hasFigures,
  type LargeRow,
  termsOfCells,
  writeCellCounts,
} from "../../../data/format/cell-counts.ts";
import {
  type CellFacet,
  type CellKey,
  type CellRow,
  cellBox,
  cellOf,
  cellTerm,
  levelsOf,
  listsRows,
  TOTAL,
} from "../../../data/format/cell-levels.ts";
import { SIZE_CLASS_BITS } from "../../../data/format/geohash.ts";
import { compareIds } from "../../../data/format/ids.ts";
import { ByteReader, ByteWriter } from "../../../data/format/varint.ts";
import { cutByHash, deflate, type LooseSlice } from "../packs/index.ts";
import type { LooseTermNode } from "./term-run.ts";

/** Uncompressed bytes of a slice: about half of them compressed. */
const SLICE_BYTES = 24 * 1024;

/** Cells that are cut together weigh at least this. */
const PIECE_BYTES = SLICE_BYTES / 64;

/** Approximate bytes of the figures of a row. */
const FIGURES_BYTES = 18;

/** The box of a country is that of its cells of these bits: 0.35 by 0.18 degrees. */
const BOX_BITS = 20;

/** A row in the order of size class, geohash and id. */
interface CellCountRow {
  readonly sizeClass: number;
  readonly geohash: number;
  readonly values: CellRow;
  /** Only for a size class above 0: the row's number, counted from the country's first, and its box. */
  readonly large?: Pick<LargeRow, "number" | "bbox"> | undefined;
}

interface CellCounter {
  /** Adds the next row of the country. */
  add(row: CellCountRow): void;
  /** Ends the country and yields its slices. */
  slices(country: string): Generator<LooseSlice<LooseTermNode>>;
}

/** Returns a counter for the rows of one country and these facets. It takes some bytes of memory per row. */
export function createCellCounter(facets: readonly CellFacet[]): CellCounter {
  const counters = [TOTAL, ...facets.map(({ name }) => name)].map((facet) => createFacetCounter(facet));
  const boxCells = new Set<number>();
  return {
    add({ sizeClass, geohash, values, large }) {
      const figures = large && { ...large, fineCell: cellOf(geohash, FINE_BITS) };
      boxCells.add(cellOf(geohash, BOX_BITS));
      counters[0]?.add(sizeClass, geohash, [], figures);
      for (const [index, facet] of facets.entries())
        counters[index + 1]?.add(sizeClass, geohash, [...facet.valuesOf(values)]);
    },
    *slices(country) {
      const ordered = counters.toSorted((a, b) => compareIds(a.facet, b.facet));
      const bbox = bboxUnion(Array.from(boxCells, (cell) => cellBox(cell, BOX_BITS)));
      yield* cutSlices({ country, bbox }, joinPieces(ordered.flatMap((counter) => [...counter.pieces()])));
    },
  };
}

/** Cells of one section, with codes of the country. */
interface Piece {
  readonly facet: string;
  readonly bits: number;
  readonly sizeClass: number;
  readonly weight: number;
  /** Cells, as in a section. */
  read(): CellSection;
  readonly values: readonly string[];
  readonly firstCell: number;
}

interface FacetCounter {
  readonly facet: string;
  add(sizeClass: number, geohash: number, values: readonly string[], figures?: LargeRow): void;
  pieces(): Generator<Piece>;
}

function createFacetCounter(facet: string): FacetCounter {
  const codes = new Map<string, number>();
  const lists = new Map<string, CellList>();
  const listOf = (sizeClass: number, bits: number): CellList => {
    const key = `${String(bits).padStart(2, "0")} ${sizeClass}`;
    const list = lists.get(key) ?? new CellList({ facet, bits, sizeClass });
    lists.set(key, list);
    return list;
  };
  const listsOfClass = SIZE_CLASS_BITS.map((_, sizeClass) => {
    let made: CellList[] | undefined;
    return () => {
      made ??= levelsOf(sizeClass).map((bits) => listOf(sizeClass, bits));
      return made;
    };
  });
  return {
    facet,
    add(sizeClass, geohash, values, figures) {
      const own = values.map((value) => {
        const code = codes.get(value) ?? codes.size;
        codes.set(value, code);
        return code;
      });
      for (const list of listsOfClass[sizeClass]?.() ?? []) list.add(cellOf(geohash, list.bits), own, figures);
    },
    *pieces() {
      const values = [...codes.keys()];
      for (const key of [...lists.keys()].sort()) yield* lists.get(key)?.pieces(values) ?? [];
    },
  };
}

/** The cells of one facet, size class and number of bits, encoded: a country may have a hundred million rows. */
class CellList {
  readonly facet: string;
  readonly bits: number;
  readonly sizeClass: number;
  readonly #isOfRows: boolean;
  readonly #hasFigures: boolean;
  readonly #content = new ByteWriter();
  /** For each cell the difference to the one before, and the end of its content. */
  readonly #cells = new ByteWriter();
  readonly #figures: LargeRow[] = [];
  #lastCell = 0;
  #lastEnd = 0;
  #cell = -1;
  #rows = 0;
  #counts = new Map<number, number>();
  #lists: (readonly number[])[] = [];

  constructor({ facet, bits, sizeClass }: Pick<CellList, "facet" | "bits" | "sizeClass">) {
    this.facet = facet;
    this.bits = bits;
    this.sizeClass = sizeClass;
    this.#isOfRows = facet !== TOTAL && listsRows(sizeClass, bits);
    this.#hasFigures = hasFigures(facet, this);
  }

  add(cell: number, codes: readonly number[], figures?: LargeRow): void {
    if (cell !== this.#cell) {
      if (cell < this.#cell) throw new Error(`cell ${cell} comes after cell ${this.#cell}: rows are not in order`);
      this.#end();
      this.#cell = cell;
    }
    this.#rows++;
    if (figures && this.#hasFigures) this.#figures.push(figures);
    if (this.#isOfRows) this.#lists.push(codes);
    else for (const code of codes) this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
  }

  /** Writes the cell, if a row of it has a value. */
  #end(): void {
    const out = this.#content;
    if (this.facet === TOTAL) {
      if (this.#rows > 0) out.varint(this.#rows);
    } else if (this.#isOfRows) {
      if (this.#lists.some((codes) => codes.length > 0)) {
        out.varint(this.#lists.length);
        for (const codes of this.#lists) out.varint(codes.length);
        for (const codes of this.#lists) for (const code of codes) out.varint(code);
      }
    } else if (this.#counts.size > 0) {
      out.varint(this.#counts.size);
      for (const [code, count] of this.#counts) {
        out.varint(code);
        out.varint(count);
      }
    }
    if (out.length > this.#lastEnd) {
      this.#cells.varint(this.#cell - this.#lastCell);
      this.#cells.varint(out.length - this.#lastEnd);
      this.#lastCell = this.#cell;
      this.#lastEnd = out.length;
    }
    this.#rows = 0;
    if (this.#counts.size > 0) this.#counts = new Map();
    this.#lists = [];
  }

  *pieces(values: readonly string[]): Generator<Piece> {
    this.#end();
    const [content, cells] = [this.#content.bytes(), this.#cells.bytes()];
    const reader = new ByteReader(cells);
    let [cell, end, row] = [0, 0, 0];
    while (reader.left > 0) {
      const from = { cells: cells.length - reader.left, content: end, cell };
      let count = 0;
      let firstCell = -1;
      while (reader.left > 0 && end - from.content < PIECE_BYTES) {
        cell += reader.varint();
        end += reader.varint();
        if (firstCell === -1) firstCell = cell;
        count++;
      }
      const own = {
        cells: cells.subarray(from.cells),
        content: content.subarray(from.content, end),
        count,
        before: from.cell,
      };
      const rows = this.#hasFigures ? sum(this.#read(own).counts) : 0;
      const first = row;
      row += rows;
      const figures = () => (this.#hasFigures ? { figures: this.#figures.slice(first, first + rows) } : {});
      yield {
        facet: this.facet,
        bits: this.bits,
        sizeClass: this.sizeClass,
        weight: end - from.content + 2 * count + FIGURES_BYTES * rows,
        values,
        firstCell,
        read: () => ({ ...this.#read(own), ...figures() }),
      };
    }
  }

  #read({ cells: cellBytes, content, count, before }: EncodedCells): CellSection {
    const [ofCells, reader] = [new ByteReader(cellBytes), new ByteReader(content)];
    const [cells, sizes, codes, counts]: [number[], number[], number[], number[]] = [[], [], [], []];
    let cell = before;
    for (let index = 0; index < count; index++) {
      cell += ofCells.varint();
      ofCells.varint();
      cells.push(cell);
      if (this.facet === TOTAL) {
        counts.push(reader.varint());
        continue;
      }
      const size = reader.varint();
      sizes.push(size);
      if (!this.#isOfRows) {
        for (let i = 0; i < size; i++) {
          codes.push(reader.varint());
          counts.push(reader.varint());
        }
        continue;
      }
      const own = Array.from({ length: size }, () => reader.varint());
      for (const length of own) counts.push(length);
      for (let i = sum(own); i > 0; i--) codes.push(reader.varint());
    }
    return { bits: this.bits, sizeClass: this.sizeClass, cells, sizes, codes, counts };
  }
}

interface EncodedCells {
  readonly cells: Uint8Array;
  readonly content: Uint8Array;
  readonly count: number;
  /** Number of the cell before the first one of this list. */
  readonly before: number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Joins light neighbours, so that the cells of a small country are few items to cut. */
function joinPieces(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    if (weight >= PIECE_BYTES) {
      groups.push([]);
      weight = 0;
    }
    groups.at(-1)?.push(piece);
    weight += piece.weight;
  }
  return groups;
}

function* cutSlices(
  { country, bbox }: Pick<LooseTermNode, "country" | "bbox">,
  groups: readonly Piece[][],
): Generator<LooseSlice<LooseTermNode>> {
  const weighed = groups.map((pieces) => ({
    weight: pieces.reduce((sum, { weight }) => sum + weight, 0),
    key: `${country} ${termOf(pieces[0])}`,
  }));
  for (const { start, end } of cutByHash(weighed, SLICE_BYTES)) {
    const blocks = blocksOf(groups.slice(start, end).flat());
    const [first_term, last_term] = termsOfCells(blocks);
    const rows = blocks.reduce(
      (sum, { sections }) => sum + sections.reduce((cells, section) => cells + section.cells.length, 0),
      0,
    );
    yield {
      bytes: writeCellCounts(blocks, deflate),
      key: `${country} ${first_term}`,
      node: { rows, bbox, country, first_term, last_term, start: 0 },
    };
  }
}

function termOf(piece: Piece | undefined): string {
  return piece ? cellTerm(piece.facet, { ...piece, cell: piece.firstCell } satisfies CellKey & Piece) : "";
}

/** Joins pieces into blocks, whose values are in the order of frequency in the slice. */
function blocksOf(pieces: readonly Piece[]): CellBlock[] {
  const blocks: CellBlock[] = [];
  for (let start = 0; start < pieces.length; ) {
    const facet = pieces[start]?.facet ?? "";
    let end = start;
    while (pieces[end]?.facet === facet) end++;
    blocks.push(blockOf(facet, pieces.slice(start, end)));
    start = end;
  }
  return blocks;
}

function blockOf(facet: string, pieces: readonly Piece[]): CellBlock {
  const sections: CellSection[] = [];
  for (const section of pieces.map((piece) => piece.read())) {
    const before = sections.at(-1);
    if (before?.bits !== section.bits || before.sizeClass !== section.sizeClass) sections.push(section);
    else
      sections[sections.length - 1] = {
        ...before,
        cells: [...before.cells, ...section.cells],
        sizes: [...before.sizes, ...section.sizes],
        codes: [...before.codes, ...section.codes],
        counts: [...before.counts, ...section.counts],
        ...(section.figures ? { figures: [...(before.figures ?? []), ...section.figures] } : {}),
      };
  }
  const uses = new Map<number, number>();
  for (const { codes } of sections) for (const code of codes) uses.set(code, (uses.get(code) ?? 0) + 1);
  const textOf = (code: number): string => pieces[0]?.values[code] ?? "";
  const order = [...uses].sort(([a, m], [b, n]) => n - m || compareIds(textOf(a), textOf(b))).map(([code]) => code);
  const ranks = new Map(order.map((code, rank) => [code, rank]));
  return {
    facet,
    values: order.map(textOf),
    sections: sections.map((section) => withCodes(facet, section, (code) => ranks.get(code) ?? 0)),
  };
}

/** The section with other codes. Values of a cell, and of a row, are in the order of codes. */
function withCodes(facet: string, section: CellSection, codeOf: (code: number) => number): CellSection {
  const { bits, sizeClass, sizes, codes, counts } = section;
  if (facet === TOTAL) return section;
  const renamed = codes.map(codeOf);
  const lengths = listsRows(sizeClass, bits) ? counts : sizes;
  const isCounted = !listsRows(sizeClass, bits);
  const [newCodes, newCounts]: [number[], number[]] = [[], []];
  let at = 0;
  for (const length of lengths) {
    const order = Array.from({ length }, (_, i) => at + i).sort((a, b) => (renamed[a] ?? 0) - (renamed[b] ?? 0));
    for (const ordinal of order) {
      newCodes.push(renamed[ordinal] ?? 0);
      if (isCounted) newCounts.push(counts[ordinal] ?? 0);
    }
    at += length;
  }
  return { ...section, codes: newCodes, counts: isCounted ? newCounts : counts };
}
