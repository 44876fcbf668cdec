/**
 * Texts for search paths, kinds and properties of records: translated if available, otherwise in the words of the dataset.
 * @module
 */
import { signal } from "@preact/signals";
import { isKey, text } from "./text.ts";

/** Names of place categories in the user's language, where available. */
export const categoryNames = signal<ReadonlyMap<string, string>>(new Map());

/** Returns the text of an Overture type, a class or subtype, or a category; empty without one. */
export function kindText(kind = ""): string {
  const key = `kind.${kind}`;
  return isKey(key) ? text(key) : (categoryNames.value.get(kind) ?? humanize(kind));
}

/** Returns the text of a property: translated for the schema, unchanged for tags of a source. */
export function propertyText(name: string): string {
  const key = `property.${name}`;
  return isKey(key) ? text(key) : humanize(name);
}

/** Returns the label of a search path: translated for the schema, otherwise the name of the collection. */
export function pathText(path: string): string {
  const key = `path.${path}`;
  return isKey(key) ? text(key) : humanize(path);
}

/** Returns how many records of a search path were found. */
export function foundText(path: string, count: number): string {
  const key = `found.${path}`;
  return isKey(key) ? text(key, { count }) : text("found.own", { count, collection: pathText(path) });
}

/** Returns `some_words` as `Some words`. */
export function humanize(words: string | undefined): string {
  if (!words) return "";
  const plain = words.replaceAll("_", " ").trim();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
