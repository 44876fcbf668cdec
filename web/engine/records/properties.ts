/**
 * Which properties the rows have, and where each comes from.
 * @module
 */
import { COLLECTIONS } from "../../../data/format/collections.ts";
import { NO_COUNTRY } from "../../../data/format/manifest.ts";
import type { Texts } from "../arrow/json-reader.ts";
import type { Json, Members } from "../contract/query.ts";
import type { Rows, StoredColumn } from "../store/rows.ts";

/** Columns that are not properties, or come first among them. */
const OWN_PLACE = new Set(["id", "geometry", "bbox", "version"]);

/** Members that clients read as texts without asking whether they are there. */
const TEXTS: ReadonlyMap<string, Texts> = new Map<string, Texts>([
  ["sources", { property: "", dataset: "", record_id: "" }],
  ["brand", { names: { primary: "" } }],
]);

/** A property: the same for all rows, or a column, of which numbers may be told as text. */
export type Property =
  | { readonly name: string; readonly constant: string }
  | {
      readonly name: string;
      readonly column: StoredColumn;
      readonly isText?: boolean;
      /** Texts that its objects always have. */
      readonly texts?: Texts | undefined;
      /** Rows that have the property; all that are not null when left out. */
      readonly isTold?: (row: number) => boolean;
    };

/** The properties of rows, in order, of those that are wanted, and the id; `membersOf` tells what of each is enough. */
export function propertiesOf(
  rows: Rows,
  isWanted: (name: string) => boolean,
  membersOf?: (name: string) => Members | undefined,
): readonly Property[] {
  const { collection, country } = rows;
  const { theme, type, countryRule, columns } = COLLECTIONS[collection];
  const properties: Property[] = [];
  const add = (name: string, column: string, how: { readonly isText?: boolean } = {}): void => {
    if (name !== "id" && !isWanted(name)) return;
    const members = membersOf?.(name);
    const stored = rows.column(column, members);
    if (!stored) return;
    const told = name === "brand" ? { isTold: (row: number) => saysSomething(stored.read(row)) } : {};
    properties.push({ name, column: stored, ...(members ? {} : { texts: TEXTS.get(name) }), ...told, ...how });
  };
  const addConstant = (name: string, constant: string): void => {
    if (isWanted(name)) properties.push({ name, constant });
  };

  add("id", "id");
  addConstant("theme", theme);
  addConstant("type", type);
  add("version", "version", { isText: true });
  // the one that a search by country goes by; no record declares that its country is unknown
  addConstant(countryRule === "declared" && country !== NO_COUNTRY ? "country" : "ext_country", country);
  for (const { name } of columns) {
    if (OWN_PLACE.has(name)) continue;
    add(name, name);
    if (type === "place" && name === "names") add("ext_name", name);
  }
  return properties;
}

/** Whether there is a text or a number anywhere in it: releases write a brand that is not known as one of which all is null. */
function saysSomething(value: Json): boolean {
  if (typeof value !== "object" || value === null) return value !== null && value !== "";
  return Object.values(value).some((member) => saysSomething(member as Json));
}
