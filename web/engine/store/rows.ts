/**
 * Rows with their columns in memory: Arrow from the primary copy, JSON from the records.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { Collection, CollectionName } from "../../../data/format/collections.ts";
import type { JsonReader, Texts } from "../arrow/json-reader.ts";
import type { JsonWriter } from "../arrow/json-writer.ts";
import type { Members } from "../contract/query.ts";

/** A column of rows in memory. */
export interface StoredColumn {
  readonly read: JsonReader;
  /** Returns a writer of the column as JSON. It adds to objects the members of `texts` that they lack, as "". */
  readonly writer: (texts?: Texts) => JsonWriter;
}

/** Rows of one country of a collection. */
export interface Rows {
  readonly collection: CollectionName;
  readonly schema: Collection;
  /** ISO 3166-1 alpha-2; `ZZ` if unknown. */
  readonly country: string;
  readonly rows: number;
  readonly id: (row: number) => string;
  /** The row's geometry as WKB or TWKB. Callers must not change the bytes. */
  readonly geometry: (row: number) => Uint8Array;
  /** The box of the row's geometry. */
  readonly bbox: (row: number) => BBox;
  /** Returns the column; undefined if the rows lack it. `members` says which members its reader must return. */
  readonly column: (name: string, members?: Members) => StoredColumn | undefined;
}

/** A row by its position in `rows`, and its distance if it was measured. */
export interface RowRef {
  readonly rows: Rows;
  readonly row: number;
  /** Metres, to 1 mm. */
  readonly distanceMeters?: number;
}

/**
 * Returns a function that reads a value of any row. It calls `open` once for each group of rows; the value is undefined if `open`
 * returns undefined.
 */
export function readerOf<Value>(
  open: (rows: Rows) => ((row: number) => Value) | undefined,
): (ref: RowRef) => Value | undefined {
  const readers = new Map<Rows, ReturnType<typeof open>>();
  return ({ rows, row }) => {
    if (!readers.has(rows)) readers.set(rows, open(rows));
    return readers.get(rows)?.(row);
  };
}
