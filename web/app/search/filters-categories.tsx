import { useSignal, useSignalEffect } from "@preact/signals";
import { useId } from "preact/hooks";
import { foldText } from "../../../data/format/fold.ts";
import { MAX_PAGE_RECORDS } from "../../../data/format/limits.ts";
import { itemsOf, type Search, searchArgument } from "../address/index.ts";
import { draft, found } from "../state/index.ts";
import { formatCount, humanize, kindText, text } from "../text/index.ts";
import { remote } from "../worker/index.ts";
import type { FilterProps } from "./filters-fields.tsx";

/** A person reads no more; the box above finds the others. */
const SHOWN = 40;

type Counts = "counting" | "many" | "failed" | readonly CategoryCount[];

/** The categories of the places here, with how many of each. */
export function CategoryFilter({ value, onChange }: FilterProps) {
  const counts = useSignal<Counts>("counting");
  const wanted = useSignal("");
  const isAsked = useSignal(false);
  const hintId = useId();
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
  const first = chosen.map((name) => known.find((each) => each.name === name) ?? { name, places: 0 });
  const words = foldText(wanted.value);
  const matching = [...first, ...known.filter(({ name }) => !chosen.includes(name))].filter(({ name }) =>
    [name.replaceAll("_", " "), kindText(name)].some((called) => foldText(called).includes(words)),
  );
  return (
    <fieldset class="field" aria-describedby={hintId}>
      <legend>{text("filter.categories")}</legend>
      {known.length > 0 && (
        <p class="quiet" id={hintId}>
          {text("filter.categoriesHint")}
        </p>
      )}
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
        {matching.slice(0, SHOWN).map(({ name, places }) => (
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
              <span>{titleAmong(name, known)}</span> <span class="quiet">{formatCount(places)}</span>
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

/** Several categories may have one name in the reader's language: then with their own. */
function titleAmong(name: string, others: readonly CategoryCount[]): string {
  const title = kindText(name);
  const isShared = others.some((other) => other.name !== name && kindText(other.name) === title);
  return isShared ? `${title} (${humanize(name)})` : title;
}

/** To count the categories of a whole country every place is read: beyond this many, only when it is asked for. */
export const CATEGORIES_OF_MANY = 50_000;

export interface CategoryCount {
  readonly name: string;
  readonly places: number;
}

/** Most places first. Rejects when they cannot be counted. */
export async function categoryCounts(search: Search, signal: AbortSignal): Promise<readonly CategoryCount[]> {
  const { categories: _, ...filters } = search.filters;
  const { parameters, area } = searchArgument({ ...search, path: "places", filters, page: 0 });
  const asked = { path: "/places/categories", parameters: { ...parameters, limit: String(MAX_PAGE_RECORDS) }, area };
  const groups = await remote("count", asked, signal);
  return groups.map(({ value, rows }) => ({ name: String(value), places: rows }));
}
