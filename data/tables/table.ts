/** A table: typed columns, and a geometry per row. @module */

import type { Geometry } from "../format/geometry.ts";

/** Name of the file next to a table that states what the table's columns mean. It is no table itself. */
export const TABLE_FILE = "cairn.json";

export type ColumnType = "text" | "integer" | "number" | "boolean" | "date" | "date-time" | "list" | "json";

export interface TableColumn {
  /** As the file has it; duplicates get a suffix, empty names become `column_N`. */
  readonly name: string;
  readonly type: ColumnType;
}

/** A row of a table with its geometry in degrees of WGS84. */
export interface TableRow<G extends Geometry | null = Geometry> {
  /** From 1: the line of a text table, the number of a feature. */
  readonly line: number;
  readonly geometry: G;
  /**
   * In the order of the columns, null for no value. By type of the column: text is a string, integer and number are
   * numbers, date is `YYYY-MM-DD`, date-time is ISO 8601, list is an array of strings, json is any JSON value.
   */
  readonly values: readonly unknown[];
}

/** A row of a table that was left out, and why. */
export interface TableReject {
  readonly line: number;
  /** One of a few short phrases. */
  readonly reason: string;
  /** The value that is wrong. */
  readonly detail: string;
  readonly values?: readonly unknown[];
}

/** A table that was read: rows with geometries and typed values, and the rejected rows. */
export interface Table<G extends Geometry | null = Geometry> {
  readonly format: string;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow<G>[];
  readonly rejects: readonly TableReject[];
  /**
   * The columns or the member from which the geometry was read. Such columns are in `columns` only if they contain more
   * than the geometry.
   */
  readonly geometryFrom: readonly string[];
  /** The reference system of the file, for example `EPSG:4326`. Geometries are always in degrees of WGS84. */
  readonly crs: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly notes: readonly string[];
}

export interface ReadOptions {
  /** Names of the columns with the coordinates. Default: found by their names. */
  readonly lat?: string;
  readonly lng?: string;
  /** The column with WKT, WKB, GeoJSON, a geohash, a plus code or an H3 cell. */
  readonly geometry?: string;
  /** The reference system of the coordinates, for example `EPSG:25832`. It is used instead of what the file states. */
  readonly crs?: string;
  /** If true, rows without coordinates have the geometry null and are not rejected. */
  readonly allowNoGeometry?: boolean;
  /** A file with more rows is refused with `TableError`. Default: no limit. */
  readonly maxRows?: number;
  /** Maximum bytes that a compressed file may unpack to. Default: 1 GiB. */
  readonly maxBytes?: number;
}

/** Why a file cannot be read, for programs with their own texts. */
type TableFault =
  | { readonly code: "format" | "damaged" | "option" }
  | { readonly code: "columns"; readonly columns: readonly string[] }
  | { readonly code: "crs"; readonly crs: string }
  | { readonly code: "units"; readonly example: string }
  | { readonly code: "rows"; readonly rows: number }
  | { readonly code: "bytes"; readonly bytes: number };

/**
 * Thrown if a file cannot be read. The message is one line: the problem, what is allowed, and the option that helps.
 */
export class TableError extends Error {
  override readonly name = "TableError";
  readonly fault: TableFault;

  constructor(message: string, fault: TableFault = { code: "damaged" }) {
    super(message);
    this.fault = fault;
  }
}

/** Throws `TableError` for a file with more rows than the limit. */
export function refuseRows(rows: number, maxRows: number): void {
  if (rows > maxRows)
    throw new TableError(`the file has ${rows} rows, more than ${maxRows}: split it`, { code: "rows", rows });
}
