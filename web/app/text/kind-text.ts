/**
 * Texts for kinds and properties of records: translated if available, otherwise in the words of the dataset.
 * @module
 */
import { signal } from "@preact/signals";
import { en } from "./messages/en.ts";
import { type MessageKey, text } from "./text.ts";

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

/** Returns `some_words` as `Some words`. */
export function humanize(words: string | undefined): string {
  if (!words) return "";
  const plain = words.replaceAll("_", " ").trim();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Whether there is a message with that key. */
export function isKey(key: string): key is MessageKey {
  return key in en;
}
