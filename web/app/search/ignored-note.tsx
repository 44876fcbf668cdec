import { draft, searchNames } from "../state/index.ts";
import { text } from "../text/index.ts";
import { shownText, typedText } from "./typed-text.ts";

/** Says which words of the typed text the search does not use, and offers a search of all words in names. */
export function IgnoredNote() {
  const shown = shownText.value;
  if (!shown || shown.ignored.length === 0) return null;
  const searchAll = () => {
    typedText.value = undefined;
    searchNames(shown.text, draft.peek().country);
  };
  return (
    <p class="ignored-words" aria-live="polite">
      {text("search.ignored", { words: shown.ignored.join(", ") })}
      <button type="button" onClick={searchAll}>
        {text("suggestion.name", { name: shown.text })}
      </button>
    </p>
  );
}
