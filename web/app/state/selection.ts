/** Records that the user selected in the table. They belong to one list. @module */
import { computed, signal } from "@preact/signals";
import { found } from "./session.ts";

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
