/**
 * Rows with their columns in memory: Arrow from the primary copy, JSON from the records.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import type { Collection, CollectionName } from "../../../data/format/collections.ts";
import type { JsonReader, Texts } from "../arrow/json-reader.ts";
import type { JsonWriter } from "../arrow/json-writer.ts";
import type { Members } from "../contract/query.ts";

/** Reads and writes a column. */
export interface StoredColumn {
  readonly read: JsonReader;
  /** Created on demand, because most columns are either read or written. With these texts in its objects. */
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
  /** The column; undefined if the rows lack it. `members` limits what its reader must return. */
  readonly column: (name: string, members?: Members) => StoredColumn | undefined;
}

/** A row by its position in `rows`, and its distance if it was measured. */
export interface RowRef {
  readonly rows: Rows;
  readonly row: number;
  /** Metres, to 1 mm. */
  readonly distanceMeters?: number;
}

/** Returns a function that reads rows with the readers of `open`, called once per group. It returns undefined if `open` does. */
export function readerOf<Value>(
  open: (rows: Rows) => ((row: number) => Value) | undefined,
): (ref: RowRef) => Value | undefined {
  const readers = new Map<Rows, ReturnType<typeof open>>();
  return ({ rows, row }) => {
    if (!readers.has(rows)) readers.set(rows, open(rows));
    return readers.get(rows)?.(row);
  };
}
