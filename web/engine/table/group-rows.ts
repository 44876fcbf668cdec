/** The rows of a row group of a column table, by value and country: from Arrow, or from decoded rows. @module */
import type { Table } from "apache-arrow";
import type { Collection } from "../../../data/format/collections.ts";
import { bboxOf } from "../../../data/format/geometry.ts";
import { readStoredGeometry } from "../../../data/format/stored-geometry.ts";
import { fromUtf8 } from "../../../data/format/utf8.ts";
import { bytesAt, columnOf, findColumn, onlyBatch } from "../arrow/columns.ts";
import { createJsonReader } from "../arrow/json-reader.ts";
import { createJsonWriter } from "../arrow/json-writer.ts";
import { EngineError } from "../contract/errors.ts";
import type { StoredTableRow } from "../contract/ports.ts";
import type { Json, Members } from "../contract/query.ts";
import { columnRead } from "../store/computed-column.ts";
import type { Rows, StoredColumn } from "../store/rows.ts";

/** Consecutive rows with the same value and country. */
export interface UnitRows {
  readonly value: string;
  readonly rows: Rows;
}

/** The decoded columns of a row group. */
export interface GroupColumns {
  readonly rows: number;
  /** Returns a reader of a text column. Throws if the column is missing. */
  readonly texts: (name: string) => (row: number) => string;
  /** The geometry as WKB. */
  readonly geometry: (row: number) => Uint8Array;
  /** The column with rows from `start` on; undefined if it is missing. */
  readonly column: (name: string, start: number, members?: Members) => StoredColumn | undefined;
}

/** Returns the columns of an Arrow table. Throws if it has several batches or no geometry. */
export function columnsOfArrow(table: Table): GroupColumns {
  const batch = onlyBatch(table);
  const geometries = columnOf(batch, "geometry");
  return {
    rows: table.numRows,
    texts: (name) => {
      const data = columnOf(batch, name);
      return (row) => fromUtf8(bytesAt(data, row));
    },
    geometry: (row) => bytesAt(geometries, row),
    column: (name, start, members) => {
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
    },
  };
}

/** Returns the columns of decoded rows. Readers throw for a value of another type. */
export function columnsOfRows(rows: readonly StoredTableRow[]): GroupColumns {
  const names = new Set(Object.keys(rows[0] ?? {}));
  const valueAt = (name: string, row: number): Json | Uint8Array => rows[row]?.[name] ?? null;
  return {
    rows: rows.length,
    texts: (name) => (row) => {
      const value = valueAt(name, row);
      if (typeof value !== "string") throw new EngineError(`column ${name} has no text in row ${row}`);
      return value;
    },
    geometry: (row) => {
      const value = valueAt("geometry", row);
      if (!(value instanceof Uint8Array)) throw new EngineError(`column geometry has no bytes in row ${row}`);
      return value;
    },
    column: (name, start) => {
      if (!names.has(name)) return undefined;
      return columnRead((row) => {
        const value = valueAt(name, start + row);
        if (value instanceof Uint8Array) throw new EngineError(`column ${name} has bytes in row ${start + row}`);
        return value;
      });
    },
  };
}

/**
 * Splits the row group into units: the rows of each value and country. Throws if the group does not have the expected number of
 * rows.
 */
export function unitsOf(
  schema: Collection,
  columns: GroupColumns,
  { key, rows: expected }: { readonly key: string; readonly rows: number },
): UnitRows[] {
  if (columns.rows !== expected)
    throw new EngineError(`a row group of the table of ${schema.name} has ${columns.rows} rows, expected ${expected}`);
  const [valueAt, countryAt, idAt] = [columns.texts(key), columns.texts("country"), columns.texts("id")];
  const { geometry } = columns;
  const unit = (start: number, end: number, country: string): Rows => ({
    collection: schema.name,
    schema,
    country,
    rows: end - start,
    id: (row) => idAt(start + row),
    geometry: (row) => geometry(start + row),
    bbox: (row) => bboxOf(readStoredGeometry(geometry(start + row))) ?? [0, 0, 0, 0],
    column: (name, members) => columns.column(name, start, members),
  });
  const units: UnitRows[] = [];
  for (let start = 0; start < expected; ) {
    const [value, country] = [valueAt(start), countryAt(start)];
    let end = start + 1;
    while (end < expected && valueAt(end) === value && countryAt(end) === country) end++;
    units.push({ value, rows: unit(start, end, country) });
    start = end;
  }
  return units;
}
