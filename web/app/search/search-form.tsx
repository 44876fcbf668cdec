import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { filtersOf, hasHours, INCLUDE_UNKNOWN, ownFiltersOf, type Path } from "../address/index.ts";
import {
  changeSearch,
  draft,
  isShop,
  pageState,
  presentPaths,
  raiseSheet,
  refused,
  searchNames,
} from "../state/index.ts";
import { formatCount, pathText, text } from "../text/index.ts";
import { CloseButton } from "../widgets/index.ts";
import { ActiveFilters, Filters } from "./filters.tsx";
import { OpenNowFilter } from "./own-filters.tsx";
import { shownText, typedText } from "./typed-text.ts";
import { WhereFields } from "./where-fields.tsx";
import { whereText } from "./where-text.ts";

/** The search form. The kinds of records are visible; location and filters can be opened. */
export function SearchForm() {
  const unfolded = useSignal<"where" | "filters" | undefined>(undefined);
  useSignalEffect(() => {
    if (pageState.value.record !== undefined) unfolded.value = undefined;
  });
  const foldOf = (fold: "where" | "filters") => ({
    type: "button" as const,
    "aria-expanded": unfolded.value === fold,
    "aria-controls": fold,
    onClick() {
      unfolded.value = unfolded.value === fold ? undefined : fold;
      if (unfolded.value) raiseSheet();
    },
  });
  const { path, filters } = draft.value;
  const count =
    Object.keys(filters).filter((name) => name !== INCLUDE_UNKNOWN).length + (draft.value.isOpenNow ? 1 : 0);
  return (
    <section class="search-form" aria-label={text("form.name")}>
      {(!isShop || presentPaths.value.length > 1) && (
        <TypeChips value={path} onChange={(next) => changeSearch({ path: next })} />
      )}
      <div class="folds">
        {isShop ? (
          hasHours(path) && <OpenNowFilter />
        ) : (
          <button {...foldOf("where")} class="fold is-wide">
            <span class="fold-text">{whereText(draft.value)}</span>
          </button>
        )}
        {(ownFiltersOf(path) ?? filtersOf(path)).length > 0 && (
          <button {...foldOf("filters")} class="fold">
            {text("form.filters")}
            {count > 0 && <span class="badge">{formatCount(count)}</span>}
          </button>
        )}
        <ActiveFilters />
      </div>
      <IgnoredNote />
      {unfolded.value === "where" && (
        <WhereFields
          onDone={() => {
            unfolded.value = undefined;
          }}
        />
      )}
      {unfolded.value === "filters" && <Filters />}
      {refused.value.length > 0 && (
        <p class="refused" role="alert">
          {text("form.refused", { values: refused.value.join(", ") })}
          <CloseButton
            label={text("note.close")}
            onClick={() => {
              refused.value = [];
            }}
          />
        </p>
      )}
    </section>
  );
}

/** Says which typed words the search ignores, and offers to search for all words in names. */
function IgnoredNote() {
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

/** Buttons for the search paths that have rows, and for the path in the URL. */
function TypeChips({ value, onChange }: { value: Path; onChange: (path: Path) => void }) {
  const chips = useRef<HTMLFieldSetElement>(null);
  // on a phone they scroll sideways
  useEffect(() => {
    const chosen = chips.current?.querySelector<HTMLElement>(`.chip:has([value="${value}"])`);
    if (!chips.current || !chosen) return;
    const room = (chips.current.clientWidth - chosen.offsetWidth) / 2;
    chips.current.scrollTo({ left: chosen.offsetLeft - chips.current.offsetLeft - room });
  }, [value]);
  const shown = presentPaths.value.includes(value) ? presentPaths.value : [...presentPaths.value, value];
  return (
    <fieldset class="chips" ref={chips}>
      <legend class="visually-hidden">{text("search.types")}</legend>
      {shown.map((path) => (
        <label class="chip" key={path}>
          <input
            type="radio"
            name="path"
            value={path}
            checked={path === value}
            onChange={() => onChange(path)}
            class="visually-hidden"
          />
          {pathText(path)}
        </label>
      ))}
    </fieldset>
  );
}
