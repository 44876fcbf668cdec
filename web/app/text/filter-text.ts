/**
 * Values of filters in words. Those that are few have words of the page's own; the others are the dataset's.
 * @module
 */
import type { FilterName } from "../state/filters.ts";
import { en } from "./messages/en.ts";
import { humanize } from "./record-text.ts";
import { type MessageKey, text } from "./text.ts";

/** One value of a filter. */
export function choiceText(name: FilterName, choice: string): string {
  const key = `filter.${name}.${choice}`;
  return isKey(key) ? text(key) : humanize(choice);
}

function isKey(key: string): key is MessageKey {
  return key in en;
}
