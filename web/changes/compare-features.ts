/** Compares a record of two releases in the form of the REST interface. @module */
import { COLLECTIONS, isOvertureType } from "../../data/format/collections.ts";
import type { Feature } from "../engine/index.ts";

/** Returns the names of the columns that differ, in schema order. */
export function differingColumns(older: Feature, newer: Feature): readonly string[] {
  const { type } = newer.properties;
  if (typeof type !== "string" || !isOvertureType(type)) throw new Error(`unknown record type ${JSON.stringify(type)}`);
  return [...COLLECTIONS[type].columns.map(({ name }) => name), "country"].filter(
    (name) => name !== "bbox" && spelled(older, name) !== spelled(newer, name),
  );
}

/** Returns the country by which a record is found: for some types a separate column. */
export function countryOf({ properties }: Feature): string | null {
  const country = properties.ext_country ?? properties.country;
  return typeof country === "string" ? country : null;
}

function spelled(record: Feature, column: string): string | undefined {
  if (column === "geometry") return JSON.stringify(record.geometry);
  return JSON.stringify(column === "country" ? countryOf(record) : record.properties[column]);
}
