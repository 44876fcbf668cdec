/**
 * Values of filters in words. Those that are few have words of the page's own; the others are the dataset's.
 * @module
 */
import type { FilterName } from "../address/filters.ts";
import { isKey, kindText } from "../text/kind-text.ts";
import { text } from "../text/text.ts";

/** One value of a filter. */
export function choiceText(name: FilterName, choice: string): string {
  const key = `filter.${name}.${choice}`;
  return isKey(key) ? text(key) : kindText(choice);
}
