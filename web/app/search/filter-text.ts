/**
 * Values of filters in words. Those that are few have words of the page's own; the others are the dataset's.
 * @module
 */
import type { FilterName } from "../address/index.ts";
import { isKey, kindText, text } from "../text/index.ts";

/** One value of a filter. */
export function choiceText(name: FilterName, choice: string): string {
  const key = `filter.${name}.${choice}`;
  return isKey(key) ? text(key) : kindText(choice);
}
