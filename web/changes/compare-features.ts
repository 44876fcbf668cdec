/** Two releases of one record, compared as the interface gives them. @module */
import { COLLECTIONS, isOvertureType } from "../../data/format/collections.ts";
import type { Feature } from "../engine/index.ts";

/** Names of the columns that differ, in the order of the schema. */
export function differingColumns(older: Feature, newer: Feature): readonly string[] {
  const { type } = newer.properties;
  if (typeof type !== "string" || !isOvertureType(type)) throw new Error(`a record of type ${JSON.stringify(type)}`);
  return [...COLLECTIONS[type].columns.map(({ name }) => name), "country"].filter(
    (name) => name !== "bbox" && spelled(older, name) !== spelled(newer, name),
  );
}

/** The country by which a record is found: of some types a column of their own. */
export function countryOf({ properties }: Feature): string | null {
  const country = properties.ext_country ?? properties.country;
  return typeof country === "string" ? country : null;
}

function spelled(record: Feature, column: string): string | undefined {
  if (column === "geometry") return JSON.stringify(record.geometry);
  return JSON.stringify(column === "country" ? countryOf(record) : record.properties[column]);
}
