/**
 * Cells of the run `count_cell`, and the facets that it counts. A cell is an area of the map: all positions whose
 * geohashes start with the same bits.
 *
 * @module
 */

import type { BBox } from "./bbox.ts";
import type { Collection } from "./collections.ts";
import { cellSize, GEOHASH_BITS, SIZE_CLASS_BITS } from "./geohash.ts";
import { compareIds } from "./ids.ts";
import { computedColumn, hasColumn } from "./own-collections.ts";
import { type Facet, facetValues, type TermColumns } from "./terms.ts";

/** Bits of the cells that have counts. Five bits are a character of a geohash. */
const COUNTED_BITS = [5, 10, 15, 20, 25, 30] as const;

/** Name of the facet that counts all rows. It has no values. */
export const TOTAL = "total";

/**
 * Returns the numbers of bits of the cells that are stored for rows of a size class, ascending: 5 to 30, and 0 too for
 * the class of the largest rows.
 */
export function levelsOf(sizeClass: number): readonly number[] {
  return SIZE_CLASS_BITS[sizeClass] === 0 ? [0, ...COUNTED_BITS] : COUNTED_BITS;
}

/**
 * Returns whether cells with this number of bits list the values of each row of this size class, in the order of
 * geohash and id. Other cells have counts.
 */
export function listsRows(sizeClass: number, bits: number): boolean {
  return SIZE_CLASS_BITS[sizeClass] === bits;
}

/** Returns the cell of a geohash of 50 bits: its first `bits` bits as a number. */
export function cellOf(geohash: number, bits: number): number {
  return Math.floor(geohash / 2 ** (GEOHASH_BITS - bits));
}

/** Returns the box in degrees of a cell, given by the first `bits` bits of a geohash. */
export function cellBox(cell: number, bits: number): BBox {
  let [x, y] = [0, 0];
  for (let bit = 0; bit < bits; bit++) {
    const value = Math.floor(cell / 2 ** (bits - 1 - bit)) % 2;
    if (bit % 2 === 0) x = 2 * x + value;
    else y = 2 * y + value;
  }
  const { widthDeg, heightDeg } = cellSize(bits);
  const [west, south] = [x * widthDeg - 180, y * heightDeg - 90];
  return [west, south, west + widthDeg, south + heightDeg];
}

const HEX_CHARS = 13;

/**
 * Returns the text by which the index finds a cell. The order of these texts is the order of facet, bits, size class
 * and cell.
 */
export function cellTerm(facet: string, { bits, sizeClass, cell }: CellKey): string {
  const geohash = cell * 2 ** (GEOHASH_BITS - bits);
  return `${facet} ${String(bits).padStart(2, "0")}${sizeClass} ${geohash.toString(16).padStart(HEX_CHARS, "0")}`;
}

/** A cell of the counts: the first `bits` bits of a geohash as the number `cell`, for rows of one size class. */
export interface CellKey {
  readonly bits: number;
  readonly sizeClass: number;
  readonly cell: number;
}

/** A kind of values by which the run counts rows, such as the brand. */
export interface CellFacet {
  /** As in `cellTerm`. */
  readonly name: string;
  /** Columns that `valuesOf` reads, stored or computed. */
  readonly columns: readonly (keyof TermColumns | "confidence")[];
  /** Whether a row has at most one value. */
  readonly isSingle: boolean;
  /** The term facet with the same values: a filter on one of its terms finds the rows with the value. */
  readonly terms?: Facet;
  /** The values of a row, each once. */
  valuesOf(row: CellRow): Iterable<string>;
}

/** The columns of a row that facets read. */
export type CellRow = TermColumns & { readonly confidence?: number | null };

/**
 * Steps of confidence. The value n (0 to 10) has the rows with a confidence from n tenths to less than n + 1 tenths.
 */
export const CONFIDENCE_STEPS = 10;

function confidenceStep(confidence: number): number {
  for (let step = CONFIDENCE_STEPS; step > 0; step--) if (confidence >= step / CONFIDENCE_STEPS) return step;
  return 0;
}

const ofTerms = (name: Facet, column: keyof TermColumns, isSingle: boolean): CellFacet => ({
  name,
  columns: [column],
  isSingle,
  terms: name,
  valuesOf: (row) => facetValues(name, row),
});

/** Rows with a category have it as the primary one or as an alternate, never both: the counts add up. */
const PLACE_FACETS: readonly CellFacet[] = [
  {
    name: "alternate",
    columns: ["categories"],
    isSingle: false,
    valuesOf: ({ categories }) =>
      [...facetValues("category", { categories: categories ?? null })].filter((value) => value !== categories?.primary),
  },
  ofTerms("brand", "brand", true),
  {
    name: "confidence",
    columns: ["confidence"],
    isSingle: true,
    valuesOf: ({ confidence }) =>
      typeof confidence === "number" && confidence >= 0 ? [String(confidenceStep(confidence))] : [],
  },
  {
    name: "primary",
    columns: ["categories"],
    isSingle: true,
    valuesOf: ({ categories }) => (categories?.primary ? [categories.primary] : []),
  },
];

const OTHER_FACETS: readonly CellFacet[] = [
  ofTerms("class", "class", true),
  ofTerms("level", "admin_level", true),
  ofTerms("subtype", "subtype", true),
];

const facets = new WeakMap<Collection, readonly CellFacet[]>();

/** Returns the facets that the run counts for a collection, in the order of their names, without `TOTAL`. */
export function cellFacetsOf(collection: Collection): readonly CellFacet[] {
  const known = facets.get(collection);
  if (known) return known;
  const made = makeFacets(collection);
  facets.set(collection, made);
  return made;
}

function makeFacets(collection: Collection): readonly CellFacet[] {
  if (!collection.own) return [...PLACE_FACETS, ...OTHER_FACETS].filter((facet) => hasColumns(collection, facet));
  const ofColumns = collection.own.columns.flatMap(({ name, type, hasTerms }) => {
    return hasTerms ? [columnFacet(name, type)] : [];
  });
  const ofCategories = PLACE_FACETS.filter(
    (facet) => facet.columns[0] === "categories" && hasColumns(collection, facet),
  );
  return [...ofCategories, ...ofColumns].sort((a, b) => compareIds(a.name, b.name));
}

function hasColumns(collection: Collection, { columns }: CellFacet): boolean {
  return columns.every((column) => hasColumn(collection, column));
}

/**
 * Returns the names of the stored columns from which the values of `cellFacetsOf` are computed, in the order of the
 * file.
 */
export function storedColumnsOf(collection: Collection): readonly string[] {
  const wanted = new Set<string>(cellFacetsOf(collection).flatMap(({ columns }) => columns));
  const needed = [...wanted].flatMap((name) => computedColumn(collection, name)?.needs ?? [name]);
  return collection.columns.map(({ name }) => name).filter((name) => needed.includes(name));
}

/** Prefix of the names of facets that count a column of a user's table. */
export const COLUMN_FACET = "column.";

/**
 * Returns the name under which values of a column of a user's table are counted: `column.` and the column's name,
 * percent-encoded.
 */
export function columnFacetName(column: string): string {
  return COLUMN_FACET + encodeURIComponent(column);
}

function columnFacet(column: string, type: string): CellFacet {
  const prefix = `${encodeURIComponent(column)}=`;
  return {
    name: columnFacetName(column),
    columns: ["own_terms"],
    isSingle: type !== "list",
    terms: "column",
    valuesOf: (row) => [...facetValues("column", row)].filter((value) => value.startsWith(prefix)),
  };
}
