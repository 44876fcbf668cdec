/**
 * The list of results: positions of records, the scroll position when one was opened, and those selected in the table. @module
 */
import { computed, signal } from "@preact/signals";
import { type Found, found } from "./session.ts";

interface ListPosition {
  /** Of the last opened record, from 0. */
  readonly index: number;
  readonly scrollTop: number;
  /** Whether a record of the list was opened, and the list is hidden. */
  readonly isLeft: boolean;
}

const indexesById = new WeakMap<Found, ReadonlyMap<string, number>>();
/** By search: a list that became longer keeps its position. */
const remembered = new WeakMap<Found["search"], ListPosition>();

/** Returns the index of the record on the page; undefined if it is not on it. */
export function indexOf(found: Found, id: string): number | undefined {
  let indexes = indexesById.get(found);
  if (!indexes) {
    indexes = new Map(found.records.map((record, index) => [record.id, index]));
    indexesById.set(found, indexes);
  }
  return indexes.get(id);
}

/** Returns the number of the page's first record among all results, from 1. */
export function firstNumberOf({ search }: Found): number {
  return search.page * search.limit + 1;
}

/** Returns the stored position in the list of these results; undefined without one. */
export function rememberedPosition(found: Found): ListPosition | undefined {
  return remembered.get(found.search);
}

/** Stores changes of the position in the list. */
export function rememberPosition(found: Found, change: Partial<ListPosition>): void {
  remembered.set(found.search, { index: 0, scrollTop: 0, isLeft: false, ...remembered.get(found.search), ...change });
}

/** Selected ids, with the search of their list. */
const chosen = signal<{ readonly search: unknown; readonly ids: ReadonlySet<string> } | undefined>(undefined);
const NONE: ReadonlySet<string> = new Set();

/** The ids of the selected records of the list. */
export const selection = computed(() =>
  chosen.value?.search === found.value?.search ? (chosen.value?.ids ?? NONE) : NONE,
);

/** Selects records, or takes them out. */
export function choose(ids: readonly string[], isChosen: boolean): void {
  const next = new Set(selection.peek());
  for (const id of ids)
    if (isChosen) next.add(id);
    else next.delete(id);
  chosen.value = { search: found.peek()?.search, ids: next };
}
