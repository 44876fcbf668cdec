/** Counts per cell of the small dataset. @module */
import { type BBox, bboxUnion } from "../../../data/format/bbox.ts";
import { type CellBlock, type CellSection, termsOfCells, writeCellCounts } from "../../../data/format/cell-counts.ts";
import {
  type CellRow,
  cellBox,
  cellFacetsOf,
  cellOf,
  cellTerm,
  levelsOf,
  listsRows,
  TOTAL,
} from "../../../data/format/cell-levels.ts";
import { COLLECTIONS, type KnownCollection } from "../../../data/format/collections.ts";
import { sizeClassOf } from "../../../data/format/geohash.ts";
import { compareIds } from "../../../data/format/ids.ts";
import type { SmallRow } from "./features.ts";
import { boxOf, geohashOf } from "./location.ts";
import { deflate } from "./records.ts";

/** Small, so that there are several slices. */
const SLICE_CELLS = 60;

interface Cell {
  readonly facet: string;
  readonly bits: number;
  readonly sizeClass: number;
  readonly cell: number;
  readonly rows: SmallRow[];
}

export interface MadeCells {
  readonly bytes: Uint8Array;
  readonly rows: number;
  readonly bbox: BBox;
  readonly first_term: string;
  readonly last_term: string;
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Makes the slices of a country. Numbers are counted from the country's first. */
export function makeCells(
  collection: KnownCollection,
  rows: readonly SmallRow[],
  numberOf: (row: SmallRow) => number,
): MadeCells[] {
  const facets = new Map(cellFacetsOf(COLLECTIONS[collection]).map((facet) => [facet.name, facet]));
  const valuesOf = (facet: string, row: SmallRow): string[] => [
    ...(facets.get(facet)?.valuesOf(row.columns as CellRow) ?? []),
  ];
  const cells = new Map<string, Cell>();
  const sorted = rows.toSorted((a, b) => geohashOf(a) - geohashOf(b) || compareIds(a.id, b.id));
  for (const facet of [TOTAL, ...facets.keys()]) {
    for (const row of sorted) {
      const sizeClass = sizeClassOf(boxOf(row));
      for (const bits of levelsOf(sizeClass)) {
        const cell = cellOf(geohashOf(row), bits);
        const term = cellTerm(facet, { bits, sizeClass, cell });
        const own = cells.get(term) ?? { facet, bits, sizeClass, cell, rows: [] };
        cells.set(term, own);
        own.rows.push(row);
      }
    }
  }
  const kept = [...cells]
    .filter(([, { facet, rows: own }]) => facet === TOTAL || own.some((row) => valuesOf(facet, row).length > 0))
    .sort(([a], [b]) => compareIds(a, b))
    .map(([, cell]) => cell);
  const bbox = bboxUnion(rows.map((row) => cellBox(cellOf(geohashOf(row), 20), 20)));
  return Array.from({ length: Math.ceil(kept.length / SLICE_CELLS) }, (_, i) => {
    const own = kept.slice(i * SLICE_CELLS, (i + 1) * SLICE_CELLS);
    const blocks = [...groupBy(own, ({ facet }) => facet)].map(([facet, of]) => blockOf(facet, of));
    const [first_term, last_term] = termsOfCells(blocks);
    return { bytes: writeCellCounts(blocks, deflate), rows: own.length, bbox, first_term, last_term };
  });

  function blockOf(facet: string, own: readonly Cell[]): CellBlock {
    const values = [...new Set(own.flatMap((cell) => cell.rows.flatMap((row) => valuesOf(facet, row))))];
    const sections = [...groupBy(own, ({ bits, sizeClass }) => `${bits} ${sizeClass}`).values()];
    return { facet, values, sections: sections.map((of) => sectionOf(facet, values, of)) };
  }

  function sectionOf(facet: string, values: readonly string[], own: readonly Cell[]): CellSection {
    const { bits, sizeClass } = own[0] as Cell;
    const section = { bits, sizeClass, cells: own.map(({ cell }) => cell) };
    if (facet === TOTAL) {
      const counts = own.map((cell) => cell.rows.length);
      const large = listsRows(sizeClass, bits) && sizeClass > 0 ? own.flatMap((cell) => cell.rows) : undefined;
      const figures = large?.map((row) => ({
        number: numberOf(row),
        fineCell: cellOf(geohashOf(row), 30),
        bbox: boxOf(row),
      }));
      return { ...section, sizes: [], codes: [], counts, ...(figures ? { figures } : {}) };
    }
    if (listsRows(sizeClass, bits)) {
      const lists = own.flatMap((cell) => cell.rows.map((row) => valuesOf(facet, row)));
      return {
        ...section,
        sizes: own.map((cell) => cell.rows.length),
        codes: lists.flat().map((value) => values.indexOf(value)),
        counts: lists.map((list) => list.length),
      };
    }
    const counted = own.map((cell) => [
      ...groupBy(
        cell.rows.flatMap((row) => valuesOf(facet, row)),
        (value) => value,
      ),
    ]);
    return {
      ...section,
      sizes: counted.map((of) => of.length),
      codes: counted.flat().map(([value]) => values.indexOf(value)),
      counts: counted.flat().map(([, of]) => of.length),
    };
  }
}
