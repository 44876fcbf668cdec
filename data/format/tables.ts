/**
 * Tables: rows that are not features (suggestions, look-ups of ids, counts), as compressed JSON by column.
 * @module
 */
import { type Deflate, inflate } from "./inflate.ts";
import { MAX_SLICE_BYTES } from "./limits.ts";
import { fromUtf8, toUtf8 } from "./utf8.ts";

/** A JSON value. */
export type TableValue =
  | string
  | number
  | boolean
  | null
  | readonly TableValue[]
  | { readonly [key: string]: TableValue };

/** Values by name of the column. All columns have the same number of values. */
export type Table = Readonly<Record<string, readonly TableValue[]>>;

/** Returns a table as a slice: its JSON, compressed. */
export function writeTable(table: Table, deflate: Deflate): Uint8Array {
  return deflate(toUtf8(JSON.stringify(table)));
}

/**
 * Reads a slice with a table. Throws if the slice is damaged, if one of `columns` is missing, or if it has another
 * number of values than `rows`.
 */
export function readTable(slice: Uint8Array, columns: readonly string[], rows: number): Table {
  const table: unknown = JSON.parse(fromUtf8(inflate(slice, { maxBytes: MAX_SLICE_BYTES })));
  if (typeof table !== "object" || table === null) throw new Error("a table is not an object of columns");
  for (const name of columns) {
    const values: unknown = (table as Record<string, unknown>)[name];
    const got = Array.isArray(values) ? `${values.length} rows` : "none";
    if (!Array.isArray(values) || values.length !== rows) {
      throw new Error(`a table has ${got} in column ${name}, expected ${rows} rows`);
    }
  }
  return table as Table;
}
