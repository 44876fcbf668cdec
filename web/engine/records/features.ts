/**
 * Rows as GeoJSON features.
 * @module
 */
import type { Geometry } from "../../../data/format/geometry.ts";
import { isPartTable } from "../../../data/format/geometry-parts.ts";
import { readStoredGeometry } from "../../../data/format/stored-geometry.ts";
import { type JsonReader, withTexts } from "../arrow/json-reader.ts";
import type { Feature, Json, PropertyChoice } from "../contract/query.ts";
import type { RowRef, Rows } from "../store/rows.ts";
import { type Property, propertiesOf } from "./properties.ts";

/** Yields the features of the rows, one at a time, with the chosen properties; default: all. */
export function* featuresOf(refs: readonly RowRef[], choice?: PropertyChoice): Generator<Feature, void, undefined> {
  const isWanted = (name: string): boolean => choice?.has(name) ?? true;
  const membersOf = choice instanceof Map ? (name: string) => choice.get(name) : undefined;
  const readers = new Map<Rows, readonly (readonly [name: string, read: JsonReader])[]>();
  for (const { rows, row, distanceMeters } of refs) {
    let properties = readers.get(rows);
    if (!properties) {
      properties = propertiesOf(rows, isWanted, membersOf).map((property) => [property.name, readerOf(property)]);
      readers.set(rows, properties);
    }
    const values: Record<string, Json> = {};
    for (const [name, read] of properties) {
      const value = read(row);
      if (value !== null) values[name] = value;
    }
    if (distanceMeters !== undefined && isWanted("ext_distance")) values.ext_distance = distanceMeters;
    yield { id: rows.id(row), type: "Feature", geometry: geometryOf(rows.geometry(row)), properties: values };
  }
}

/** A long geometry that was not read. */
const UNREAD: Geometry = { type: "GeometryCollection", geometries: [] };

/** Reads a stored geometry. A long geometry, whose parts are stored elsewhere, becomes an empty GeometryCollection. */
export function geometryOf(stored: Uint8Array): Geometry {
  return isPartTable(stored) ? UNREAD : readStoredGeometry(stored);
}

/** Returns a reader of the property; null omits it. */
function readerOf(property: Property): JsonReader {
  if ("constant" in property) return () => property.constant;
  const { column, isText, hasContent, texts } = property;
  const { read } = column;
  if (!isText && !hasContent && !texts) return read;
  return (row) => {
    const value = hasContent && !hasContent(row) ? null : read(row);
    if (value === null) return null;
    return isText ? String(value) : withTexts(value, texts ?? {});
  };
}
