/** Columns that are computed from stored ones. @module */
import type { Collection } from "../../../data/format/collections.ts";
import { computedColumn } from "../../../data/format/own-collections.ts";
import { type JsonReader, withTexts } from "../arrow/json-reader.ts";
import type { StoredColumn } from "./rows.ts";

/** Returns a column whose values `read` returns as JSON. */
export function columnRead(read: JsonReader): StoredColumn {
  return {
    read,
    writer: (texts = {}) => ({
      isValid: (row) => read(row) !== null,
      write: (row, out) => out.text(JSON.stringify(withTexts(read(row), texts))),
    }),
  };
}

/** Returns the computed column; undefined when the collection computes no column of this name. */
export function computedFrom(
  schema: Collection,
  name: string,
  stored: (name: string) => Pick<StoredColumn, "read"> | undefined,
): StoredColumn | undefined {
  const computed = computedColumn(schema, name);
  if (!computed) return undefined;
  const readers = new Map(computed.needs.map((column) => [column, stored(column)?.read]));
  return columnRead((row) => computed.read((column) => readers.get(column)?.(row) ?? null));
}
