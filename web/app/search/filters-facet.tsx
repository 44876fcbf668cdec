import { useSignal, useSignalEffect } from "@preact/signals";
import { foldText } from "../../../data/format/fold.ts";
import { columnValue } from "../../../data/format/own-collections.ts";
import type { Facet } from "../../../data/format/terms.ts";
import type { FacetCount } from "../../engine/index.ts";
import { itemsOf, searchArgument } from "../address/index.ts";
import { dataset, draft, found } from "../state/index.ts";
import { formatCount, humanize, text } from "../text/index.ts";
import { remote } from "../worker/index.ts";
import { categoryTree } from "./category-tree.ts";
import { choiceText, type FilterProps, filterTitle } from "./filters-fields.tsx";

/** Maximum number of values in the list. A field finds the others. */
const SHOWN = 40;

type Counts = "counting" | "many" | "failed" | readonly FacetCount[];

/** Number of results above which values are counted only on request: for most filters every row must be read. */
const MOST_UNASKED_ROWS = 50_000;
/** Number of values above which a field finds values in the list. */
const MANY_VALUES = 12;

interface FacetFilterProps extends FilterProps {
  readonly facet: Facet;
  /** Name of the column whose values are counted, for the facet `column`. */
  readonly column?: string;
  /** Whether a row has at most one value. Then rows without a value can be counted too. */
  readonly isSingle?: boolean;
  /** Whether the title is only for screen readers, because it is visible elsewhere. */
  readonly isTitleHidden?: boolean;
}

/** Checkboxes for the values that occur in the results, with their numbers. Categories are nested; each includes all below it. */
export function FacetFilter({
  name,
  facet,
  column,
  value,
  onChange,
  isSingle = false,
  isTitleHidden = false,
}: FacetFilterProps) {
  const counts = useSignal<Counts>("counting");
  const wanted = useSignal("");
  const isAsked = useSignal(false);
  /** Opened categories. The children of others are not drawn, because there are hundreds. */
  const unfolded = useSignal<readonly string[]>([]);
  const total = useSignal<number | undefined>(undefined);
  useSignalEffect(() => {
    const search = draft.value;
    total.value = undefined;
    if ((found.value?.total ?? rowsOf(search.path)) > MOST_UNASKED_ROWS && !isAsked.value) {
      counts.value = "many";
      return undefined;
    }
    const asking = new AbortController();
    const { [name]: _, ...filters } = search.filters;
    const asked = searchArgument({ ...search, filters, page: 0 });
    remote("facet", { search: asked, facet }, asking.signal).then(
      (next) => {
        counts.value = column === undefined ? next : countsOfColumn(next, column);
      },
      () => {
        if (!asking.signal.aborted) counts.value = "failed";
      },
    );
    if (isSingle) {
      const counted = { ...asked, parameters: { ...asked.parameters, limit: "1" } };
      // the list works without it
      remote("search", counted, asking.signal).then(
        (answer) => {
          if (answer.kind === "found") total.value = answer.total;
        },
        () => {},
      );
    }
    return () => asking.abort();
  });

  const chosen = itemsOf(value);
  const known = typeof counts.value === "string" ? [] : counts.value;
  const isCounted = total.value !== undefined && typeof counts.value !== "string";
  const unknown = isCounted ? (total.value ?? 0) - known.reduce((sum, { rows }) => sum + rows, 0) : 0;
  const tree = categoryTree(known);
  const titles = titlesOf(name, new Set([...known.map((each) => each.value), ...chosen]));
  const words = foldText(wanted.value);
  const isWanted = (item: string) => foldText(`${item.replaceAll("_", " ")} ${titles.get(item)}`).includes(words);
  // ancestors of a match are shown with it
  const shown = new Set(known.flatMap((each) => (isWanted(each.value) ? [each.value, ...tree.above(each.value)] : [])));
  const first = chosen.filter((item) => isWanted(item) && tree.above(item).length === 0);
  const top = [
    ...first.map((item) => known.find((each) => each.value === item) ?? { value: item, rows: 0 }),
    ...tree.below(undefined).filter((each) => !first.includes(each.value) && shown.has(each.value)),
  ];

  const line = ({ value: item, rows }: FacetCount) => {
    const title = titles.get(item);
    const isCovered = tree.above(item).some((each) => chosen.includes(each));
    const below = tree.below(item).filter((each) => shown.has(each.value));
    return (
      <li key={item}>
        <label class="category">
          <input
            type="checkbox"
            checked={isCovered || chosen.includes(item)}
            disabled={isCovered}
            indeterminate={chosen.some((each) => tree.above(each).includes(item))}
            onChange={({ currentTarget }) => {
              const others = chosen.filter((each) => each !== item && !tree.above(each).includes(item));
              const next = currentTarget.checked ? [...others, item] : others;
              onChange(next.length === 0 ? undefined : next.join(","));
            }}
          />
          <span>{title}</span> <span class="quiet">{formatCount(rows)}</span>
        </label>
        {below.length > 0 && (
          <details
            open={words !== ""}
            onToggle={({ currentTarget }) => {
              if (currentTarget.open) unfolded.value = [...unfolded.value, item];
            }}
          >
            <summary class="fold" aria-label={title} />
            {(words !== "" || unfolded.value.includes(item)) && <ul>{below.map(line)}</ul>}
          </details>
        )}
      </li>
    );
  };

  return (
    <fieldset class="field">
      <legend class={isTitleHidden ? "visually-hidden" : undefined}>{filterTitle(name)}</legend>
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
          {text("statistics.count")}
        </button>
      )}
      {known.length > MANY_VALUES && (
        <input
          type="text"
          aria-label={text("filter.find")}
          placeholder={text("filter.find")}
          value={wanted.value}
          onInput={({ currentTarget }) => {
            wanted.value = currentTarget.value;
          }}
        />
      )}
      <ul class="categories">{top.slice(0, SHOWN).map(line)}</ul>
      {top.length > SHOWN && <p class="quiet">{text("filter.moreCategories", { count: top.length - SHOWN })}</p>}
      {unknown > 0 && (
        <p class="quiet filter-unknown">{text("filter.unknown", { unknown, total: total.value ?? 0 })}</p>
      )}
    </fieldset>
  );
}

/**
 * Returns the number of rows of a collection with its own schema, which a search without a location finds; 0 for a fixed path.
 */
function rowsOf(path: string): number {
  return dataset.value?.collections.find(({ name }) => name === path)?.rows ?? 0;
}

/** Returns the counts of one column from the counts of all columns. */
function countsOfColumn(counts: readonly FacetCount[], column: string): readonly FacetCount[] {
  const prefix = columnValue(column, "");
  return counts.flatMap(({ value, rows }) =>
    value.startsWith(prefix) ? [{ value: value.slice(prefix.length), rows }] : [],
  );
}

/** Returns the text of each value. If several values have the same text, the value itself is added. */
function titlesOf(name: string, values: ReadonlySet<string>): ReadonlyMap<string, string> {
  const titles = new Map(Array.from(values, (value) => [value, choiceText(name, value)]));
  const uses = new Map<string, number>();
  for (const title of titles.values()) uses.set(title, (uses.get(title) ?? 0) + 1);
  for (const [value, title] of titles) if (uses.get(title) !== 1) titles.set(value, `${title} (${humanize(value)})`);
  return titles;
}
