/**
 * Rows whose columns are at hand: of the primary copy as Arrow, of the records as JSON.
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
  /** Made when asked for: most columns are read or written, not both. With these texts in its objects. */
  readonly writer: (texts?: Texts) => JsonWriter;
}

/** Rows of one country of a collection. */
export interface Rows {
  readonly collection: CollectionName;
  readonly schema: Collection;
  /** ISO 3166-1 alpha-2, `ZZ` for none. */
  readonly country: string;
  readonly rows: number;
  readonly id: (row: number) => string;
  /** The row's geometry as WKB or TWKB. The bytes are not to be changed. */
  readonly geometry: (row: number) => Uint8Array;
  /** The box of the row's geometry. */
  readonly bbox: (row: number) => BBox;
  /** The column; undefined when the rows have none of the name. `members` are those that its reader need give. */
  readonly column: (name: string, members?: Members) => StoredColumn | undefined;
}

/** A row, and where it stands in the order of a search by place. */
export interface RowRef {
  readonly rows: Rows;
  readonly row: number;
  /** Metres, to 1 mm. */
  readonly distanceMeters?: number;
}

/** Reads rows by what `open` gives for the rows that they stand among, which it is asked for once; undefined where it gives none. */
export function readerOf<Value>(
  open: (rows: Rows) => ((row: number) => Value) | undefined,
): (ref: RowRef) => Value | undefined {
  const readers = new Map<Rows, ReturnType<typeof open>>();
  return ({ rows, row }) => {
    if (!readers.has(rows)) readers.set(rows, open(rows));
    return readers.get(rows)?.(row);
  };
}
