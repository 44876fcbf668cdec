/** The last text for which Enter was pressed in the search box. @module */
import { computed, signal } from "@preact/signals";
import { formatPageState, type Search } from "../address/index.ts";
import { draft } from "../state/index.ts";

interface TypedText {
  readonly text: string;
  /** Words that the search does not use. */
  readonly ignored: readonly string[];
  /** Category of places that the search has because of the text; undefined if it has none. */
  readonly category?: string | undefined;
  /** The search that the text led to. */
  readonly search: Search;
}

/** The last text; undefined before one. */
export const typedText = signal<TypedText | undefined>(undefined);

/** The last text, as long as the page shows the search that it led to. */
export const shownText = computed(() => {
  const last = typedText.value;
  return last && isSameQuestion(last.search, draft.value) ? last : undefined;
});

/** Whether both are pages of the same search. */
function isSameQuestion(a: Search, b: Search): boolean {
  const [first, second] = [a, b].map((search) => formatPageState({ search: { ...search, page: 0 } }));
  return first === second;
}
