/** Counts per geohash cell. @module */
import { readCellCounts } from "../../data/format/cell-counts.ts";
import { cellOf, cellTerm, TOTAL } from "../../data/format/cell-levels.ts";
import { encodeGeohash, GEOHASH_BITS, SIZE_CLASS_BITS, spellGeohash } from "../../data/format/geohash.ts";
import { representativePoint } from "../../data/format/representative-point.ts";
import { type Circle, firstPart, nearRows } from "./circle.ts";
import { CairnError } from "./error.ts";
import { type Collection, inPack } from "./index-tree.ts";
import { wholeGeometry } from "./records.ts";
import { termNodes } from "./terms.ts";
import type { CellCount } from "./types.ts";

const BITS_PER_CHAR = 5;
/** Bits of the geohash cells in which large rows are listed one by one. */
const FINE_BITS = 30;

/**
 * Counts the matching rows of the circle by the first `chars` characters of the geohash of their representative point, in the
 * order of geohashes. Reads the points (stored locations) of all these rows. Throws `CairnError` if a row has no position.
 */
export async function cellsOfCircle(collection: Collection, circle: Circle, chars: number): Promise<CellCount[]> {
  const { rows } = await nearRows(collection, circle, Number.POSITIVE_INFINITY);
  const counts = new Map<string, number>();
  for (const found of rows) {
    const geometry = await wholeGeometry(collection, found.points.geometry(found.row), firstPart(found));
    const [lon, lat] = representativePoint(geometry) ?? [];
    if (lon === undefined || lat === undefined) throw new CairnError(`a row of ${collection.name} has no position`);
    const cell = spellGeohash(encodeGeohash(lon, lat), BITS_PER_CHAR * chars);
    counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  return inOrder(counts);
}

/**
 * Counts the rows of the countries `wanted` (default: all) by the first `chars` characters of the geohash of their representative
 * point, in the order of geohashes. Reads stored counts, no rows. Throws `CairnError` if the collection has no counts per cell.
 */
export async function cellsOfCountries(
  collection: Collection,
  wanted: readonly string[] | undefined,
  chars: number,
): Promise<CellCount[]> {
  const { about, files, name } = collection;
  if (!about.runs.count_cell) throw new CairnError(`${name} has no counts per cell`);
  const countries = Object.keys(about.countries).filter((code) => wanted?.includes(code) ?? true);
  const bits = BITS_PER_CHAR * chars;
  const counts = new Map<string, number>();
  const add = (cell: number, ofBits: number, rows: number): void => {
    const text = spellGeohash(cell * 2 ** (GEOHASH_BITS - ofBits), bits);
    counts.set(text, (counts.get(text) ?? 0) + rows);
  };
  for (const [sizeClass, classBits] of SIZE_CLASS_BITS.entries()) {
    const level = Math.min(bits, classBits);
    const term = (cell: number): string => cellTerm(TOTAL, { bits: level, sizeClass, cell });
    const nodes = await Promise.all(
      countries.map((code) => termNodes(collection, "count_cell", code, term(0), term(2 ** level - 1))),
    );
    const slices = await files.slices(
      nodes.flat().map((node) => inPack(collection, "count_cell", node)),
      readCellCounts,
    );
    const sections = slices
      .flatMap(({ blocks }) => blocks.filter(({ facet }) => facet === TOTAL))
      .flatMap((block) => block.sections.filter((each) => each.sizeClass === sizeClass && each.bits === level));
    for (const { cells, counts: rows, figures } of sections) {
      if (level === bits) {
        for (const [index, cell] of cells.entries()) add(cell, level, rows[index] ?? 0);
      } else
        for (const { fineCell } of figures ?? [])
          add(cellOf(fineCell * 2 ** (GEOHASH_BITS - FINE_BITS), bits), bits, 1);
    }
  }
  return inOrder(counts);
}

function inOrder(counts: ReadonlyMap<string, number>): CellCount[] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([cell, rows]) => ({ cell, rows }));
}
