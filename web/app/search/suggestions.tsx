import type { Suggestion } from "../../engine/index.ts";
import { centreText } from "../address/index.ts";
import { countryName, formatDistance, humanize, kindText, text } from "../text/index.ts";
import type { Choice } from "./choices.ts";

interface Props {
  readonly id: string;
  readonly choices: readonly Choice[];
  /** Index of the choice that Enter takes; -1 without one. */
  readonly active: number;
  readonly note: string | undefined;
  readonly onChoose: (choice: Choice) => void;
  /** Deletes a recent search that is clicked away. The search box handles the key for it. */
  readonly onForget: (address: string) => void;
}

/** The list of choices below the search box. The focus stays in the box. */
export function Suggestions({ id, choices, active, note, onChoose, onForget }: Props) {
  return (
    <div class="suggestions">
      <div role="listbox" id={id} aria-label={text("search.suggestionsName")}>
        {choices.map((choice, index) => {
          const { icon, title, detail } = shownAs(choice);
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus and names the active option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the box's
            <div
              key={`${icon} ${title} ${detail} ${index}`}
              id={optionId(id, index)}
              class="suggestion"
              role="option"
              aria-selected={index === active}
              // The box would lose the focus, and close the list, before the click.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(choice)}
            >
              <span class={`icon is-${icon}`} aria-hidden="true" />
              <span class="suggestion-title" dir="auto">
                {title}
              </span>
              <span class="suggestion-detail" dir="auto">
                {detail}
              </span>
              {choice.kind === "recent" && (
                // not a button, which an option must not contain: keyboards have Delete
                <span
                  class="suggestion-forget"
                  aria-hidden="true"
                  title={text("suggestion.forgetOne")}
                  onClick={(event) => {
                    event.stopPropagation();
                    onForget(choice.search.address);
                  }}
                >
                  <span class="icon is-close" />
                </span>
              )}
            </div>
          );
        })}
      </div>
      {note && <p class="suggestions-note">{note}</p>}
    </div>
  );
}

/** Returns the id of the element of a choice, by its index. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

function shownAs(choice: Choice): { icon: string; title: string; detail: string } {
  switch (choice.kind) {
    case "point":
      return { icon: "point", title: centreText(choice.centre), detail: text("suggestion.point") };
    case "record":
      return { icon: "record", title: choice.id, detail: text("suggestion.record") };
    case "recent":
      return { icon: "recent", title: choice.search.title, detail: choice.search.detail };
    case "forget":
      return { icon: "close", title: text("suggestion.forget"), detail: "" };
    case "name":
      return { icon: "search", title: text("suggestion.name", { name: choice.name }), detail: "" };
    case "found":
      return suggestionShownAs(choice.suggestion);
  }
}

/** Distance above which the distance is not shown. */
const FAR_METERS = 100_000;

function suggestionShownAs(suggestion: Suggestion): { icon: string; title: string; detail: string } {
  const { kind, name, detail, country, category, within, match, matched, meters = FAR_METERS } = suggestion;
  const title = matched === undefined ? name : `${name} (${matched})`;
  switch (kind) {
    case "country":
      return { icon: kind, title, detail: text("suggestion.country") };
    case "category": {
      const where =
        within === undefined ? text("suggestion.category") : text("suggestion.categoryIn", { name: within });
      return { icon: "search", title: humanize(name), detail: where };
    }
    case "division":
      return { icon: kind, title, detail: joined([detail, countryName(country)]) };
    case "address": {
      const own = match === "near-number" ? text("suggestion.nearNumber") : text("suggestion.address");
      return { icon: kind, title, detail: joined([own, detail || within, distanceText(meters)]) };
    }
    default: {
      const own = kind === "place" ? kindText(category) : "";
      return {
        icon: kind,
        title,
        detail: joined([own || text(`suggestion.${kind}`), detail || within, distanceText(meters)]),
      };
    }
  }
}

function distanceText(meters: number): string {
  return meters < FAR_METERS ? formatDistance(meters) : "";
}

function joined(parts: readonly (string | undefined)[]): string {
  return [...new Set(parts)].filter(Boolean).join(", ");
}
