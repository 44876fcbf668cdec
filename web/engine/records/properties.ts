/**
 * Which properties the rows of a partition have, and where each comes from.
 * @module
 */
import { COLLECTIONS } from "../../../data/format/collections.ts";
import { NO_COUNTRY } from "../../../data/format/manifest.ts";
import type { Members } from "../query.ts";
import type { Partition } from "../release/partition.ts";
import { type StoredColumn, storedColumn } from "./stored-columns.ts";

/** Columns that are not properties, or come first among them. */
const OWN_PLACE = new Set(["id", "geometry", "bbox", "version"]);

/** A property: the same for all rows, or a column, of which numbers may be told as text. */
export type Property =
  | { readonly name: string; readonly constant: string }
  | { readonly name: string; readonly column: StoredColumn; readonly isText?: boolean };

/** The properties of a partition's rows, in order, of those that are wanted; `membersOf` tells what of each is enough. */
export function propertiesOf(
  partition: Partition,
  isWanted: (name: string) => boolean,
  membersOf?: (name: string) => Members | undefined,
): readonly Property[] {
  const { collection, node } = partition;
  const { theme, type, countryRule, columns } = COLLECTIONS[collection];
  const properties: Property[] = [
    { name: "theme", constant: theme },
    { name: "type", constant: type },
  ];
  const version = isWanted("version") ? storedColumn(partition, "version") : undefined;
  if (version) properties.push({ name: "version", column: version, isText: true });
  if (countryRule === "declared" && node.country !== NO_COUNTRY) {
    properties.push({ name: "country", constant: node.country });
  }
  for (const { name } of columns) {
    if (OWN_PLACE.has(name)) continue;
    for (const property of type === "place" && name === "names" ? [name, "ext_name"] : [name]) {
      const column = isWanted(property) ? storedColumn(partition, name, membersOf?.(property)) : undefined;
      if (column) properties.push({ name: property, column });
    }
  }
  return properties.filter(({ name }) => isWanted(name));
}
