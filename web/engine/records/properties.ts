/**
 * Defines the properties of rows and the column of each.
 * @module
 */

import { NO_COUNTRY } from "../../../data/format/manifest.ts";
import { OWN_TERMS } from "../../../data/format/own-collections.ts";
import type { Texts } from "../arrow/json-reader.ts";
import type { Json, Members } from "../contract/query.ts";
import type { Rows, StoredColumn } from "../store/rows.ts";

/** Columns that are not properties, or are placed first. */
const OWN_PLACE = new Set(["id", "geometry", "bbox", "version"]);

/** Members that clients read as text without a check for null. */
const TEXTS: ReadonlyMap<string, Texts> = new Map<string, Texts>([
  ["sources", { property: "", dataset: "", record_id: "" }],
  ["brand", { names: { primary: "" } }],
]);

/** A property: a constant for all rows, or a column, possibly with numbers as text. */
export type Property =
  | { readonly name: string; readonly constant: string }
  | {
      readonly name: string;
      readonly column: StoredColumn;
      readonly isText?: boolean;
      readonly texts?: Texts | undefined;
      /** Whether a row has the property; default: if it is not null. */
      readonly hasContent?: (row: number) => boolean;
    };

/**
 * Returns the wanted properties of the rows, in order, `id` first. `membersOf` returns which members of a property are needed.
 */
export function propertiesOf(
  rows: Rows,
  isWanted: (name: string) => boolean,
  membersOf?: (name: string) => Members | undefined,
): readonly Property[] {
  const { schema, country } = rows;
  const { theme, type, countryRule, columns, computed = [] } = schema;
  const properties: Property[] = [];
  const add = (name: string, column: string, how: { readonly isText?: boolean } = {}): void => {
    if (name !== "id" && !isWanted(name)) return;
    const members = membersOf?.(name);
    const stored = rows.column(column, members);
    if (!stored) return;
    const presence = name === "brand" ? { hasContent: (row: number) => saysSomething(stored.read(row)) } : {};
    properties.push({ name, column: stored, ...(members ? {} : { texts: TEXTS.get(name) }), ...presence, ...how });
  };
  const addConstant = (name: string, constant: string): void => {
    if (isWanted(name)) properties.push({ name, constant });
  };

  add("id", "id");
  addConstant("theme", theme);
  addConstant("type", type);
  add("version", "version", { isText: true });
  // the key used in searches by country; a record does not declare an unknown country
  addConstant(countryRule === "declared" && country !== NO_COUNTRY ? "country" : "ext_country", country);
  for (const name of [...computed, ...columns.map((column) => column.name)]) {
    if (OWN_PLACE.has(name) || name === OWN_TERMS) continue;
    add(name, name);
    if (type === "place" && name === "names") add("ext_name", name);
  }
  return properties;
}

/** Whether the value contains a text or a number at any depth. Releases write an unknown brand as an object of nulls. */
function saysSomething(value: Json): boolean {
  if (typeof value !== "object" || value === null) return value !== null && value !== "";
  return Object.values(value).some((member) => saysSomething(member as Json));
}
