/** Lists that the user left. The back and forward buttons of the browser show them again at once. @module */
import type { Found } from "./session.ts";

/** Bounds the memory. The list that was left first is dropped first. */
const MOST_LISTS = 8;
const MOST_RECORDS = 5000;

/** By question, the last one left last. */
const lists = new Map<string, Found>();

/** Remembers the list as the answer of the question. Records that are open now are not those that are open later. */
export function rememberList(question: string, list: Found): void {
  lists.delete(question);
  if (list.open) return;
  lists.set(question, list);
  let records = [...lists.values()].reduce((sum, one) => sum + one.records.length, 0);
  for (const [oldest, { records: dropped }] of lists) {
    if (lists.size <= MOST_LISTS && records <= MOST_RECORDS) return;
    lists.delete(oldest);
    records -= dropped.length;
  }
}

/** Returns the list with all records that were read; undefined if it is not in memory. */
export function leftList(question: string): Found | undefined {
  return lists.get(question);
}

/** Another release may have other answers. */
export function forgetLists(): void {
  lists.clear();
}
