/**
 * The output of the reader of a format: values as the file has them, before types and geometries are checked.
 * @module
 */
import type { Geometry } from "../format/geometry.ts";
import type { TableReject } from "./table.ts";

/**
 * A geometry as a file has it, or why there is none. Positions may be outside of the globe, or in another reference
 * system.
 */
export type RawGeometry = Geometry | GeometryFault;

/** Why a row has no usable geometry. `reason` is one of a few phrases, `detail` has the wrong value. */
export class GeometryFault {
  readonly reason: string;
  readonly detail: string;

  constructor(reason: string, detail: string) {
    this.reason = reason;
    this.detail = detail;
  }
}

/** A row as the reader of a format returns it, before types and coordinates are known. */
export interface RawRow {
  /** From 1: the line of a text, or the number of the row. */
  readonly line: number;
  /** In the order of the columns; undefined, null and empty text are no value. */
  readonly values: readonly unknown[];
  /** Only in formats with their own geometries, such as GeoJSON. */
  readonly geometry?: RawGeometry;
}

/** A table as the reader of a format returns it, before types and coordinates are known. */
export interface RawTable {
  readonly format: string;
  readonly columns: readonly string[];
  readonly rows: readonly RawRow[];
  readonly rejects?: readonly TableReject[];
  /** Name of the column or member with the geometry, in formats with their own geometries. */
  readonly geometryFrom?: string;
  /** The column that has the geometry according to the file. */
  readonly geometryColumn?: string;
  /** The reference system that the file states, in the format's own notation. */
  readonly crs?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly notes?: readonly string[];
  /** True if numbers, dates and lists are texts in `values`, as in CSV. */
  readonly isText?: boolean;
}

export const NO_GEOMETRY = new GeometryFault("no geometry", "the row has no geometry");

/** Returns whether a cell has no value: undefined, null, NaN, or text that is empty or has spaces only. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || Number.isNaN(value) || (typeof value === "string" && value.trim() === "")
  );
}

/**
 * Returns the names of all objects' members as columns, in the order in which they first appear. `valuesOf` returns the
 * values of an object by its index, null for members that the object does not have.
 */
export function columnsOfObjects(objects: readonly Readonly<Record<string, unknown>>[]): {
  readonly columns: readonly string[];
  readonly valuesOf: (index: number) => readonly unknown[];
} {
  const columns = new Set<string>();
  for (const one of objects) for (const name of Object.keys(one)) columns.add(name);
  const names = [...columns];
  return {
    columns: names,
    valuesOf(index) {
      const one = objects[index] ?? {};
      return names.map((name) => (Object.hasOwn(one, name) ? one[name] : null));
    },
  };
}
