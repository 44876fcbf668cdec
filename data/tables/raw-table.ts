/** What the reader of a format hands over: values as the file has them, before types and geometries are checked. @module */
import type { Geometry } from "../format/geometry.ts";
import type { TableReject } from "./table.ts";

/** A position may be outside of the globe, or in another reference system. */
export type RawGeometry = Geometry | GeometryFault;

/** Why a row has no usable geometry. `reason` is one of a few texts, `detail` has the value. */
export class GeometryFault {
  readonly reason: string;
  readonly detail: string;

  constructor(reason: string, detail: string) {
    this.reason = reason;
    this.detail = detail;
  }
}

export interface RawRow {
  readonly line: number;
  /** In the order of the columns; undefined, null and empty text are no value. */
  readonly values: readonly unknown[];
  /** Where the format has geometries of its own. */
  readonly geometry?: RawGeometry;
}

export interface RawTable {
  readonly format: string;
  readonly columns: readonly string[];
  readonly rows: readonly RawRow[];
  readonly rejects?: readonly TableReject[];
  /** Where the format has geometries of its own: the column or member. */
  readonly geometryFrom?: string;
  /** The column with the geometry, where the file states it. */
  readonly geometryColumn?: string;
  /** As the file states it, in the format's own way; undefined for files without one. */
  readonly crs?: string;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly notes?: readonly string[];
  /** Values are texts that may be numbers, dates and lists. */
  readonly isText?: boolean;
}

export const NO_GEOMETRY = new GeometryFault("no geometry", "the row has no geometry");

/** Returns whether a cell has no value: null, NaN, or text without characters. */
export function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || Number.isNaN(value) || (typeof value === "string" && value.trim() === "")
  );
}

/**
 * Returns the members of all objects as columns, in the order in which they appear. `valuesOf` returns the values of
 * an object by its index, null for members that it does not have.
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
