/**
 * Words for search paths, kinds and properties of records: translated if there is a message, otherwise from the name in the
 * dataset. @module
 */
import { signal } from "@preact/signals";
import { humanize } from "../../../data/format/humanize.ts";
import { isKey, type MessageKey, text } from "./text.ts";

/** Names of place categories in the user's language by category; empty for English and until loaded. */
export const categoryNames = signal<ReadonlyMap<string, string>>(new Map());

/** Returns an Overture type, a class or subtype, or a category in words; empty for an empty one. */
export function kindText(kind = ""): string {
  const key = `kind.${kind}`;
  return isKey(key) ? text(key) : (categoryNames.value.get(kind) ?? humanize(kind));
}

/** Returns the title of a property: translated if there is a message, otherwise its name with spaces and a capital letter. */
export function propertyText(name: string): string {
  const key = `property.${name}`;
  return isKey(key) ? text(key) : humanize(name);
}

/** Returns the label of a search path: translated if there is a message, otherwise its name with spaces and a capital letter. */
export function pathText(path: string): string {
  const key = `path.${path}`;
  return isKey(key) ? text(key) : humanize(path);
}

/** Returns in words how many records a search of the path found. */
export function foundText(path: string, count: number): string {
  const key = `found.${path}`;
  return isKey(key) ? text(key, { count }) : text("found.own", { count, collection: pathText(path) });
}

const COLUMNS: Readonly<Record<string, MessageKey>> = {
  name: "filter.name",
  category: "filter.categories",
  freeform: "kind.address",
  locality: "property.postal_city",
  latitude: "where.latitude",
  longitude: "where.longitude",
  phones: "filter.has_contact.phone",
  websites: "filter.has_contact.website",
  socials: "filter.has_contact.social",
  emails: "filter.has_contact.email",
  brand: "filter.brand_name",
  operating_status: "filter.operating_status",
  sources: "detail.sources",
};
const PROPERTIES = [
  "class",
  "confidence",
  "country",
  "height",
  "number",
  "postcode",
  "region",
  "street",
  "subtype",
  "type",
];

/** Returns the title of a column in tables and exports. */
export function columnText(name: string): string {
  const key = COLUMNS[name];
  return key === undefined ? propertyText(name) : text(key);
}

/** Returns, by name, the titles of the columns that have a translated title. */
export function columnTexts(): Readonly<Record<string, string>> {
  return Object.fromEntries([...Object.keys(COLUMNS), ...PROPERTIES].map((name) => [name, columnText(name)]));
}
