/** The last text for which Enter was pressed in the search box. @module */
import { computed, signal } from "@preact/signals";
import { formatPageState, type Search } from "../address/index.ts";
import { draft } from "../state/index.ts";

interface TypedText {
  readonly text: string;
  /** Words that the search does not use. */
  readonly ignored: readonly string[];
  /** The category of places that the search has because of the text. */
  readonly category?: string | undefined;
  /** What the text led to. */
  readonly search: Search;
}

export const typedText = signal<TypedText | undefined>(undefined);

/** The text while the page shows what it led to. */
export const shownText = computed(() => {
  const last = typedText.value;
  return last && isSameQuestion(last.search, draft.value) ? last : undefined;
});

/** Whether both are pages of the same search. */
function isSameQuestion(a: Search, b: Search): boolean {
  const [first, second] = [a, b].map((search) => formatPageState({ search: { ...search, page: 0 } }));
  return first === second;
}
