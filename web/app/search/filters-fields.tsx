import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { filterNamed } from "../../../data/format/filters.ts";
import { type FilterName, itemsOf, parseFilter } from "../address/index.ts";
import { draft, found } from "../state/index.ts";
import { formatCount, formatPercent, isKey, kindText, text } from "../text/index.ts";

export interface FilterProps {
  readonly name: FilterName;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** A text with suggestions from the results. Applied on leaving the field or with Enter. */
export function TextFilter({ name, value = "", onChange }: FilterProps) {
  const listId = useId();
  const hasFault = useSignal(false);
  return (
    <label class="field">
      <span>{filterTitle(name)}</span>
      <input
        type="text"
        value={value}
        list={listId}
        dir="auto"
        autoComplete="off"
        aria-invalid={hasFault.value}
        placeholder={text("filter.any")}
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

function faultText(name: FilterName): string {
  if (name === "types") return text("filter.badText");
  const filter = filterNamed(name);
  if (filter.kind === "integers") return text("filter.badLevel");
  return filter.kind === "least"
    ? text("filter.badNumber", { min: formatCount(filter.min), max: formatCount(filter.max) })
    : text("filter.badText");
}

/** One or more of a few choices. */
export function ChoicesFilter({ name, value, onChange, choices }: FilterProps & { choices: readonly string[] }) {
  const chosen = itemsOf(value);
  return (
    <fieldset class="field">
      <legend>{text(`filter.${name}`)}</legend>
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

/** The minimum confidence. */
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

function offered(name: FilterName): readonly string[] {
  const values = new Set<string>();
  for (const { properties } of found.value?.records.slice(0, 1000) ?? []) {
    const brand = properties.brand as { readonly names?: { readonly primary?: string } } | null | undefined;
    const sources = (properties.sources ?? []) as readonly { readonly dataset?: string }[];
    const here: Readonly<Partial<Record<FilterName, readonly unknown[]>>> = {
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

/** Returns the title of the filter; for addresses there is no name. */
export function filterTitle(name: FilterName): string {
  return text(name === "name" && draft.value.path === "addresses" ? "kind.address" : `filter.${name}`);
}

/** Returns the text of one value. */
export function choiceText(name: FilterName, choice: string): string {
  if (name === "speed_limit") return choice.replace("kmh", " km/h").replace("mph", " mph");
  const key = `filter.${name}.${choice}`;
  return isKey(key) ? text(key) : kindText(choice);
}
