/**
 * Column tables: Parquet files with some columns of a collection's rows, sorted by one of its facets, such as the
 * category. A row is stored once for each of its values, so that all rows with a value are consecutive.
 *
 * @module
 */
import type { Collection } from "./collections.ts";
import type { ManifestCollection } from "./manifest.ts";
import { TABLE_FACETS, type TableFacet } from "./table-facets.ts";
import { FACET_COLUMNS } from "./terms.ts";

export type { TableFacet } from "./table-facets.ts";

/** Rows of a row group in a file of a column table; the last one may have fewer. */
export const TABLE_GROUP_ROWS = 16_384;

/** A value that at least this many rows of a country have shares no row group with other values. */
export const TABLE_OWN_ROWS = 512;

/** Key of the Parquet key-value entry that has `TableMetadata` as JSON. */
export const TABLE_METADATA = "cairn";

/** Length of the check of a column chunk, which is the start of the chunk's SHA-256. */
export const TABLE_CHECK_BYTES = 8;

/** The value of the entry `TABLE_METADATA` in a file. */
export interface TableMetadata {
  readonly format_version: number;
  readonly collection: string;
  readonly facet: TableFacet;
  /** Base64 of the checks of all column chunks, row group by row group. */
  readonly checks: string;
}

/** Columns that lists of places show. With more of them, most searches would skip more bytes, or send more requests. */
const PLACE_COLUMNS = ["names", "addresses", "websites", "phones", "confidence"];

/** Columns that every file has, or that tables cannot have. */
const FIXED = new Set(["id", "geometry", "bbox"]);

/** Returns the facet by which a table of the collection is sorted. Undefined if the collection can have no table. */
export function tableFacetOf(collection: Collection): TableFacet | undefined {
  const has = (facet: TableFacet): boolean =>
    FACET_COLUMNS[facet].every((name) => collection.columns.some((column) => column.name === name));
  return TABLE_FACETS.find(has);
}

/**
 * Returns the names of the columns that a table can have besides `id` and `geometry`, in the order of the collection.
 */
export function tableColumnsOf(collection: Collection): string[] {
  return collection.columns.map(({ name }) => name).filter((name) => !FIXED.has(name));
}

/**
 * Returns the default columns of a table: for places those that lists show, for other collections all but `sources`.
 */
export function defaultTableColumns(collection: Collection): string[] {
  const known = tableColumnsOf(collection);
  const wanted = collection.theme === "places" ? PLACE_COLUMNS : known.filter((name) => name !== "sources");
  return wanted.filter((name) => known.includes(name));
}

/**
 * Returns the text by which rows of a table are sorted, and by which the index bounds its files: value, U+0000,
 * country. U+0000 is lower than every other character.
 */
export function tableTerm(value: string, country: string): string {
  return `${value}\0${country}`;
}

/**
 * Returns the names of the columns of a table's files, in order. The first is named after the facet. It has the value
 * for which the row is stored.
 */
export function tableFileColumns({ facet, columns }: NonNullable<ManifestCollection["table"]>): string[] {
  return [facet, "country", "id", "geometry", ...columns.filter((name) => name !== facet)];
}
