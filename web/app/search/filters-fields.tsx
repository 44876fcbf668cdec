import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { FILTERS, type FilterName, filterNamed } from "../../../data/format/filters.ts";
import { writtenName } from "../../../data/format/own-collections.ts";
import { itemsOf, nameColumnOf, ownFilterNamed, parseFilter } from "../address/index.ts";
import { changeSearch, draft, found } from "../state/index.ts";
import { formatCount, formatPercent, isKey, kindText, text } from "../text/index.ts";

export interface FilterProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Returns the value of the filter in the current search, and a function that changes it and searches. */
export function filterProps(name: string): FilterProps {
  return { name, value: draft.value.filters[name], onChange: (value) => setFilter(name, value) };
}

/** Searches with another value of the filter; undefined removes it. */
export function setFilter(name: string, value: string | undefined): void {
  const { [name]: _, ...others } = draft.peek().filters;
  changeSearch({ filters: value === undefined ? others : { ...others, [name]: value } });
}

interface TextFilterProps extends FilterProps {
  /** Label of the field; by default the title of the filter. */
  readonly label?: string;
  readonly inputMode?: "decimal" | "text";
  readonly placeholder?: string;
}

/** A text field with suggestions from the results. It is applied on leaving the field or with Enter. */
export function TextFilter(props: TextFilterProps) {
  const { name, value = "", onChange, label = filterTitle(name) } = props;
  const { inputMode = "text", placeholder = text("filter.any") } = props;
  const listId = useId();
  const hasFault = useSignal(false);
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        inputMode={inputMode}
        value={value}
        list={listId}
        dir="auto"
        autoComplete="off"
        aria-invalid={hasFault.value}
        placeholder={placeholder}
        onChange={({ currentTarget }) => {
          const typed = currentTarget.value.trim();
          const next = typed === "" ? undefined : parseFilter(draft.peek().path, name, typed);
          hasFault.value = typed !== "" && next === undefined;
          if (!hasFault.value && (next ?? "") !== value) onChange(next);
        }}
      />
      {hasFault.value && (
        <span class="fault" role="alert">
          {faultText(name)}
        </span>
      )}
      <datalist id={listId}>
        {offered(name).map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </label>
  );
}

function faultText(name: string): string {
  const own = ownFilterNamed(draft.value.path, name);
  if (own)
    return text(
      own.kind === "date" ? "filter.badDate" : own.kind === "number" ? "filter.badQuantity" : "filter.badWords",
    );
  if (!(name in FILTERS)) return text("filter.badText");
  const filter = filterNamed(name as FilterName);
  if (filter.kind === "integers") return text("filter.badLevel");
  return "column" in filter
    ? text("filter.badNumber", { min: formatCount(filter.min), max: formatCount(filter.max) })
    : text("filter.badText");
}

/** Checkboxes for a few choices. */
export function ChoicesFilter({ name, value, onChange, choices }: FilterProps & { choices: readonly string[] }) {
  const chosen = itemsOf(value);
  return (
    <fieldset class="field">
      <legend>{filterTitle(name)}</legend>
      <div class="chips">
        {choices.map((choice) => (
          <label class="chip" key={choice}>
            <input
              type="checkbox"
              class="visually-hidden"
              checked={chosen.includes(choice)}
              onChange={({ currentTarget }) => {
                const next = choices.filter((each) =>
                  each === choice ? currentTarget.checked : chosen.includes(each),
                );
                onChange(next.length === 0 ? undefined : next.join(","));
              }}
            />
            {choiceText(name, choice)}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A slider for the minimum confidence. */
export function ConfidenceFilter({ value, onChange }: FilterProps) {
  const share = Number(value ?? 0);
  const shown = share === 0 ? text("filter.any") : formatPercent(share);
  return (
    <label class="field">
      <span>
        {text("filter.min_confidence")} <strong>{shown}</strong>
      </span>
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={share}
        aria-valuetext={shown}
        onChange={({ currentTarget }) => {
          const next = currentTarget.valueAsNumber;
          onChange(next === 0 ? undefined : String(next));
        }}
      />
    </label>
  );
}

function offered(name: string): readonly string[] {
  const values = new Set<string>();
  for (const { properties } of found.value?.records.slice(0, 1000) ?? []) {
    const brand = properties.brand as { readonly names?: { readonly primary?: string } } | null | undefined;
    const sources = (properties.sources ?? []) as readonly { readonly dataset?: string }[];
    const here: Readonly<Record<string, readonly unknown[]>> = {
      brand_name: [brand?.names?.primary],
      source: sources.map(({ dataset }) => dataset),
      admin_level: [properties.admin_level],
    };
    for (const value of here[name] ?? []) {
      if (typeof value === "string" || typeof value === "number") values.add(String(value));
    }
  }
  return [...values].sort();
}

/**
 * Returns the title of the filter. Filters of a column have the column's name; addresses, which have no names, have another title
 * for `name`.
 */
export function filterTitle(name: string): string {
  const { path } = draft.value;
  const column = ownFilterNamed(path, name)?.column ?? (name === "name" ? nameColumnOf(path) : undefined);
  if (column) return writtenName(column.name);
  const key = name === "name" && path === "addresses" ? "kind.address" : `filter.${name}`;
  return isKey(key) ? text(key) : name;
}

/** Returns a value of the filter in words. */
export function choiceText(name: string, choice: string): string {
  const own = ownFilterNamed(draft.value.path, name);
  if (own) return own.kind === "flags" ? text(choice === "true" ? "detail.yes" : "detail.no") : choice;
  if (name === "speed_limit") return choice.replace("kmh", " km/h").replace("mph", " mph");
  const key = `filter.${name}.${choice}`;
  return isKey(key) ? text(key) : kindText(choice);
}
