/**
 * Column tables: Parquet files with some columns of a collection's rows, sorted by a list column. A row is stored once
 * for each of its values, so that the rows with a value are consecutive.
 * @module
 */
import type { Collection } from "./collections.ts";
import type { ManifestCollection } from "./manifest.ts";
import { TABLE_FACETS, type TableFacet } from "./table-facets.ts";
import { FACET_COLUMNS } from "./terms.ts";

export type { TableFacet } from "./table-facets.ts";

/** Rows of a row group at most. */
export const TABLE_GROUP_ROWS = 16_384;

/** A value of a country with at least this many rows shares no row group with others. */
export const TABLE_OWN_ROWS = 512;

/** The key-value entry of a file with the format, and a check of each column chunk. */
export const TABLE_METADATA = "cairn";

/** The first bytes of the SHA-256 of a column chunk. */
export const TABLE_CHECK_BYTES = 8;

/** The value `cairn` of a file. */
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

/** Returns the names of the columns that a table of the collection can have, in the order of the file. */
export function tableColumnsOf(collection: Collection): string[] {
  return collection.columns.map(({ name }) => name).filter((name) => !FIXED.has(name));
}

/** Returns the default columns of a table. Places have the columns that lists show, other types have all but `sources`. */
export function defaultTableColumns(collection: Collection): string[] {
  const known = tableColumnsOf(collection);
  const wanted = collection.theme === "places" ? PLACE_COLUMNS : known.filter((name) => name !== "sources");
  return wanted.filter((name) => known.includes(name));
}

/**
 * Returns the text by which rows of a table are sorted, and index nodes bounded: value, U+0000, country. U+0000 is
 * lower than every other character.
 */
export function tableTerm(value: string, country: string): string {
  return `${value}\0${country}`;
}

/** Returns the columns of a table's files, in order. The first one is named after the facet, and has the value that a row is stored for. */
export function tableFileColumns({ facet, columns }: NonNullable<ManifestCollection["table"]>): string[] {
  return [facet, "country", "id", "geometry", ...columns.filter((name) => name !== facet)];
}
