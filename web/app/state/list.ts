/** Where the user is in the list of results, and which records are selected in the table. @module */
import { computed, signal } from "@preact/signals";
import { type Found, found } from "./session.ts";

interface ListPosition {
  /** Index in the list of the record that was opened last, from 0. */
  readonly index: number;
  readonly scrollTop: number;
  /** Whether a record of the list is open, which hides the list. */
  readonly isLeft: boolean;
}

const indexesById = new WeakMap<Found, ReadonlyMap<string, number>>();
/** Positions by search, because a list keeps its search when it becomes longer. */
const remembered = new WeakMap<Found["search"], ListPosition>();

/** Returns the index of the record in the list; undefined if it is not in the list. */
export function indexOf(found: Found, id: string): number | undefined {
  let indexes = indexesById.get(found);
  if (!indexes) {
    indexes = new Map(found.records.map((record, index) => [record.id, index]));
    indexesById.set(found, indexes);
  }
  return indexes.get(id);
}

/** Returns the number of the list's first record among all matches, from 1. */
export function firstNumberOf({ search }: Found): number {
  return search.page * search.limit + 1;
}

/** Returns where the user was in the list of these results; undefined if nothing is stored. */
export function rememberedPosition(found: Found): ListPosition | undefined {
  return remembered.get(found.search);
}

/** Stores a change of where the user is in the list of these results. */
export function rememberPosition(found: Found, change: Partial<ListPosition>): void {
  remembered.set(found.search, { index: 0, scrollTop: 0, isLeft: false, ...remembered.get(found.search), ...change });
}

/** Ids of selected records, and the search of their list. */
const chosen = signal<{ readonly search: unknown; readonly ids: ReadonlySet<string> } | undefined>(undefined);
const NONE: ReadonlySet<string> = new Set();

/** Ids of the records that are selected in the list. */
export const selection = computed(() =>
  chosen.value?.search === found.value?.search ? (chosen.value?.ids ?? NONE) : NONE,
);

/** Selects the records, or ends their selection. */
export function choose(ids: readonly string[], isChosen: boolean): void {
  const next = new Set(selection.peek());
  for (const id of ids)
    if (isChosen) next.add(id);
    else next.delete(id);
  chosen.value = { search: found.peek()?.search, ids: next };
}
