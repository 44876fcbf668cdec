import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { isSearchable } from "../../../data/format/fold.ts";
import { changeSearch, draft, pageState, presentLocation } from "../state/index.ts";
import { language, type MessageKey, text } from "../text/index.ts";
import { CloseButton } from "../widgets/index.ts";
import { type Choice, type Choices, choicesBefore, choicesFor, choicesIn, choose } from "./choices.ts";
import { useLayoutSignalEffect } from "./layout-signal-effect.ts";
import { forgetSearches, rememberSearches } from "./recent.ts";
import { optionId, Suggestions } from "./suggestions.tsx";
import { shownText, typedText } from "./typed-text.ts";

/** Wait after a letter before suggestions are read. Fast typists pause less. */
const PAUSE_MS = 80;

/** The search box for towns, countries, places, streets, coordinates, ids, or any text in names. */
export function SearchBox() {
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const typed = useSignal("");
  const choices = useSignal<readonly Choice[]>([]);
  const missing = useSignal<Choices["missing"]>("none");
  const active = useSignal(-1);
  const isOpen = useSignal(false);
  const fault = useSignal<MessageKey | undefined>(undefined);
  const asking = useRef(new AbortController());

  const search = useComputed(() => pageState.value.search);
  const name = useComputed(
    () => shownText.value?.text ?? draft.value.filters.name ?? presentLocation.value?.name ?? "",
  );
  // a draft that changes otherwise, as when the dataset is opened, keeps what is being typed
  useLayoutSignalEffect(() => {
    search.value;
    typed.value = name.value;
  });
  useEffect(() => focusOnSlash(input), []);
  useEffect(() => rememberSearches(), []);

  const close = () => {
    asking.current.abort();
    isOpen.value = false;
    active.value = -1;
  };
  const ask = async (value: string) => {
    asking.current.abort();
    asking.current = new AbortController();
    const { signal } = asking.current;
    const own = choicesIn(value);
    if (value.trim() === "") before();
    else if (own.length > 0) show({ choices: own, missing: "none" });
    else {
      // recent searches do not belong to a text
      if (choices.peek().some(({ kind }) => kind === "recent")) show({ choices: [], missing: "none" });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (signal.aborted) return;
      const found = await choicesFor(value, signal);
      if (!signal.aborted) show(found);
    }
  };
  useSignalEffect(() => {
    language.value;
    // suggestions in another language have its names
    if (document.activeElement === input.current && typed.peek().trim() !== "") void ask(typed.peek());
  });
  const show = (next: Choices) => {
    choices.value = next.choices;
    missing.value = next.missing;
    active.value = -1;
    isOpen.value = next.choices.length > 0;
  };
  const before = () => {
    if (typed.peek() === "") show({ choices: choicesBefore(), missing: "none" });
  };

  const forget = (address: string) => {
    forgetSearches(address);
    before();
  };
  const take = async (choice: Choice) => {
    close();
    // Otherwise the screen keyboard would cover the results.
    if (matchMedia("(pointer: coarse)").matches) input.current?.blur();
    try {
      fault.value = (await choose(choice)) ? undefined : "search.noRecord";
    } catch {
      fault.value = "problem.part";
    }
  };
  const clear = () => {
    close();
    const led = shownText.peek();
    typedText.value = undefined;
    typed.value = "";
    fault.value = undefined;
    const { name, categories, ...others } = draft.peek().filters;
    const isTyped = categories !== undefined && led?.category === categories;
    const filters = isTyped ? others : { ...others, ...(categories && { categories }) };
    if (name !== undefined || isTyped) changeSearch({ filters });
    input.current?.focus();
  };
  const enter = () => {
    const chosen = choices.value[active.value];
    const [own] = choicesIn(typed.value);
    const name = typed.value.trim();
    if (isOpen.value && chosen) void take(chosen);
    else if (own) void take(own);
    else if (isSearchable(name)) void take({ kind: "name", name });
    // Otherwise all records would appear to match the name.
    else if (name !== "") {
      close();
      fault.value = "filter.badText";
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = choices.value;
    const chosen = choices.value[active.value];
    if (event.key === "Enter" && !event.isComposing) enter();
    else if (event.key === "Delete" && chosen?.kind === "recent") forget(chosen.search.address);
    else if (event.key === "Escape" && isOpen.value) close();
    else if (event.key === "Escape") clear();
    else if (event.key === "ArrowDown" && !isOpen.value) void ask(typed.value);
    else if (event.key === "ArrowDown") active.value = active.value + 1 < length ? active.value + 1 : -1;
    else if (event.key === "ArrowUp" && isOpen.value) active.value = (active.value < 0 ? length : active.value) - 1;
    else return;
    event.preventDefault();
  };

  return (
    <search class="search-box">
      <input
        ref={input}
        type="text"
        role="combobox"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellcheck={false}
        dir="auto"
        aria-label={text("search.name")}
        aria-autocomplete="list"
        aria-expanded={isOpen.value}
        aria-controls={listId}
        aria-activedescendant={isOpen.value && active.value >= 0 ? optionId(listId, active.value) : undefined}
        placeholder={text("search.placeholder")}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          fault.value = undefined;
          void ask(currentTarget.value);
        }}
        onKeyDown={onKeyDown}
        onFocus={before}
        onBlur={close}
      />
      {typed.value !== "" && <CloseButton label={text("search.clear")} onClick={clear} />}
      {isOpen.value && (
        <Suggestions
          id={listId}
          choices={choices.value}
          active={active.value}
          note={missingNote(missing.value)}
          onChoose={(choice) => void take(choice)}
          onForget={forget}
        />
      )}
      <span class="visually-hidden" aria-live="polite">
        {isOpen.value && text("search.suggestions", { count: choices.value.length })}{" "}
        {isOpen.value && missingNote(missing.value)}
      </span>
      {fault.value && (
        <p class="bar-note" role="alert">
          {text(fault.value)}
        </p>
      )}
    </search>
  );
}

function focusOnSlash(input: { readonly current: HTMLInputElement | null }): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea, dialog[open]");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    input.current?.focus();
    input.current?.select();
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
}

function missingNote(missing: Choices["missing"]): string | undefined {
  if (missing === "none") return undefined;
  return text(missing === "all" ? "search.cut" : "search.partly");
}
