/** The rows of a row group of a column table, by value and country. @module */
import type { Table } from "apache-arrow";
import type { Collection } from "../../../data/format/collections.ts";
import { bboxOf } from "../../../data/format/geometry.ts";
import { readStoredGeometry } from "../../../data/format/stored-geometry.ts";
import { bytesAt, columnOf, findColumn, onlyBatch } from "../arrow/columns.ts";
import { createJsonReader } from "../arrow/json-reader.ts";
import { createJsonWriter } from "../arrow/json-writer.ts";
import { EngineError } from "../contract/errors.ts";
import type { Members } from "../contract/query.ts";
import type { Rows, StoredColumn } from "../store/rows.ts";

/** Consecutive rows of a value and a country. */
export interface UnitRows {
  readonly value: string;
  readonly rows: Rows;
}

/** Returns the rows of each value and country. Throws if the table has another number of rows. */
export function unitsOf(
  schema: Collection,
  table: Table,
  { key, rows: expected }: { readonly key: string; readonly rows: number },
): UnitRows[] {
  if (table.numRows !== expected)
    throw new EngineError(`a row group of the table of ${schema.name} has ${table.numRows} rows, expected ${expected}`);
  const batch = onlyBatch(table);
  const [keys, countries] = [columnOf(batch, key), columnOf(batch, "country")];
  const [ids, geometries] = [columnOf(batch, "id"), columnOf(batch, "geometry")];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const textAt = (data: typeof ids, row: number): string => decoder.decode(bytesAt(data, row));
  const stored = (name: string, start: number, members?: Members): StoredColumn | undefined => {
    const data = findColumn(batch, name);
    if (!data) return undefined;
    const read = createJsonReader(data, members);
    return {
      read: (row) => read(start + row),
      writer: (texts) => {
        const { isValid, write } = createJsonWriter(data, texts);
        return {
          isValid: isValid && ((row) => isValid(start + row)),
          write: (row, out) => write(start + row, out),
        };
      },
    };
  };
  const unit = (start: number, end: number, country: string): Rows => ({
    collection: schema.name,
    schema,
    country,
    rows: end - start,
    id: (row) => textAt(ids, start + row),
    geometry: (row) => bytesAt(geometries, start + row),
    bbox: (row) => bboxOf(readStoredGeometry(bytesAt(geometries, start + row))) ?? [0, 0, 0, 0],
    column: (name, members) => stored(name, start, members),
  });
  const units: UnitRows[] = [];
  for (let start = 0; start < expected; ) {
    const [value, country] = [textAt(keys, start), textAt(countries, start)];
    let end = start + 1;
    while (end < expected && textAt(keys, end) === value && textAt(countries, end) === country) end++;
    units.push({ value, rows: unit(start, end, country) });
    start = end;
  }
  return units;
}
