/**
 * Rows as GeoJSON features.
 * @module
 */
import { COLLECTIONS } from "../../data/format/collections.ts";
import { readWkb } from "../../data/format/geometry.ts";
import { NO_COUNTRY } from "../../data/format/manifest.ts";
import { columnOf, findColumn, onlyBatch } from "./arrow-columns.ts";
import { createJsonReader } from "./arrow-json.ts";
import type { RowRef } from "./executor.ts";
import type { Partition } from "./partition.ts";
import type { Feature, Json } from "./query.ts";

/** Columns that are not properties, or come first among them. */
const OWN_PLACE = new Set(["id", "geometry", "bbox", "version"]);

interface Property {
  readonly name: string;
  /** The value of the row; null leaves the property out. */
  readonly read: (row: number) => Json;
}

/** The features of the rows, made one at a time. `names` are the properties to keep, all when left out. */
export function* featuresOf(rows: readonly RowRef[], names?: ReadonlySet<string>): Generator<Feature, void, undefined> {
  const isWanted = (name: string): boolean => names?.has(name) ?? true;
  const readers = new Map<Partition, readonly Property[]>();
  for (const { partition, row, distanceMeters } of rows) {
    let properties = readers.get(partition);
    if (!properties) {
      properties = propertiesOf(partition, isWanted);
      readers.set(partition, properties);
    }
    const values: Record<string, Json> = {};
    for (const { name, read } of properties) {
      const value = read(row);
      if (value !== null) values[name] = value;
    }
    if (distanceMeters !== undefined && isWanted("ext_distance")) values.ext_distance = distanceMeters;
    yield { id: partition.id(row), type: "Feature", geometry: readWkb(partition.wkb(row)), properties: values };
  }
}

/** The properties of a partition's rows, in order. Those not wanted are not read. */
function propertiesOf({ collection, node, table }: Partition, isWanted: (name: string) => boolean): Property[] {
  const batch = onlyBatch(table);
  const { theme, type, countryRule, columns } = COLLECTIONS[collection];
  const column = (name: string) => createJsonReader(columnOf(batch, name));
  const properties: Property[] = [];
  const add = (name: string, createRead: () => Property["read"]): void => {
    if (isWanted(name)) properties.push({ name, read: createRead() });
  };
  add("theme", () => () => theme);
  add("type", () => () => type);
  add("version", () => {
    const read = column("version");
    return (row) => {
      const version = read(row);
      return version === null ? null : String(version);
    };
  });
  if (countryRule === "declared" && node.country !== NO_COUNTRY) add("country", () => () => node.country);
  for (const { name } of columns) {
    if (OWN_PLACE.has(name) || !findColumn(batch, name)) continue;
    add(name, () => column(name));
    if (type === "place" && name === "names") add("ext_name", () => column("names"));
  }
  return properties;
}
