import { useSignal, useSignalEffect } from "@preact/signals";
import { foldText } from "../../../data/format/fold.ts";
import type { FacetCount } from "../../engine/index.ts";
import { itemsOf, type Search, searchArgument } from "../address/index.ts";
import { draft, found } from "../state/index.ts";
import { formatCount, humanize, text } from "../text/index.ts";
import { remote } from "../worker/index.ts";
import type { FilterProps } from "./filters-fields.tsx";

/** A person reads no more; the box above finds the others. */
const SHOWN = 40;

type Counts = "counting" | "many" | "failed" | readonly FacetCount[];

/** The categories of the places here, with how many of each. */
export function CategoryFilter({ value, onChange }: FilterProps) {
  const counts = useSignal<Counts>("counting");
  const wanted = useSignal("");
  const isAsked = useSignal(false);
  useSignalEffect(() => {
    const search = draft.value;
    const total = found.value?.total ?? 0;
    if (search.centre === undefined && total > CATEGORIES_OF_MANY && !isAsked.value) {
      counts.value = "many";
      return undefined;
    }
    const asking = new AbortController();
    categoryCounts(search, asking.signal).then(
      (next) => {
        counts.value = next;
      },
      () => {
        if (!asking.signal.aborted) counts.value = "failed";
      },
    );
    return () => asking.abort();
  });

  const chosen = itemsOf(value);
  const known = typeof counts.value === "string" ? [] : counts.value;
  const first = chosen.map((name) => known.find((each) => each.value === name) ?? { value: name, rows: 0 });
  const words = foldText(wanted.value);
  const matching = [...first, ...known.filter(({ value: name }) => !chosen.includes(name))].filter(({ value: name }) =>
    foldText(name.replaceAll("_", " ")).includes(words),
  );
  return (
    <fieldset class="field">
      <legend>{text("filter.categories")}</legend>
      {counts.value === "counting" && <p class="quiet">{text("filter.counting")}</p>}
      {counts.value === "failed" && <p class="fault">{text("filter.notCounted")}</p>}
      {counts.value === "many" && (
        <button
          type="button"
          onClick={() => {
            isAsked.value = true;
            counts.value = "counting";
          }}
        >
          {text("filter.countMany", { count: found.value?.total ?? 0 })}
        </button>
      )}
      {known.length > 0 && (
        <input
          type="text"
          aria-label={text("filter.findCategory")}
          placeholder={text("filter.findCategory")}
          value={wanted.value}
          onInput={({ currentTarget }) => {
            wanted.value = currentTarget.value;
          }}
        />
      )}
      <ul class="categories">
        {matching.slice(0, SHOWN).map(({ value: name, rows }) => (
          <li key={name}>
            <label class="category">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={({ currentTarget }) => {
                  const others = chosen.filter((each) => each !== name);
                  const next = currentTarget.checked ? [...others, name] : others;
                  onChange(next.length === 0 ? undefined : next.join(","));
                }}
              />
              <span>{humanize(name)}</span> <span class="quiet">{formatCount(rows)}</span>
            </label>
          </li>
        ))}
      </ul>
      {matching.length > SHOWN && (
        <p class="quiet">{text("filter.moreCategories", { count: matching.length - SHOWN })}</p>
      )}
    </fieldset>
  );
}

/** To count the categories of a whole country every place is read: beyond this many, only when it is asked for. */
export const CATEGORIES_OF_MANY = 50_000;

/** Of the places that the other filters leave, most first. Rejects when they cannot be counted. */
function categoryCounts(search: Search, signal: AbortSignal): Promise<readonly FacetCount[]> {
  const { categories: _, ...filters } = search.filters;
  const asked = searchArgument({ ...search, path: "places", filters, page: 0 });
  return remote("facet", { search: asked, facet: "category" }, signal);
}
