/** Kinds and properties of records in words: the page's own where it has them, else the dataset's. @module */
import { signal } from "@preact/signals";
import { en } from "./messages/en.ts";
import { type MessageKey, text } from "./text.ts";

/** What categories of places are called in the reader's language, where they have such a name. */
export const categoryNames = signal<ReadonlyMap<string, string>>(new Map());

/** A type of Overture's, the class or subtype of a record, or a place's category; empty when there is none. */
export function kindText(kind = ""): string {
  const key = `kind.${kind}`;
  return isKey(key) ? text(key) : (categoryNames.value.get(kind) ?? humanize(kind));
}

/** What a property is called: the schema's in words of the page's own, a source's tags in theirs. */
export function propertyText(name: string): string {
  const key = `property.${name}`;
  return isKey(key) ? text(key) : humanize(name);
}

/** `some_words` as `Some words`. */
export function humanize(words: string | undefined): string {
  if (!words) return "";
  const plain = words.replaceAll("_", " ").trim();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** Whether the page has words of that key. */
export function isKey(key: string): key is MessageKey {
  return key in en;
}
