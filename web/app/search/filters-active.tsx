import { type FilterName, itemsOf } from "../address/index.ts";
import { draft } from "../state/index.ts";
import { formatPercent, text } from "../text/index.ts";
import { choiceText } from "./filter-text.ts";
import { setFilter } from "./filters.tsx";

/** The filters that hold, each with a button that takes it away. */
export function ActiveFilters() {
  const { filters } = draft.value;
  const names = Object.keys(filters) as FilterName[];
  if (names.length === 0) return null;
  return (
    <ul class="active-filters" aria-label={text("filters.active")}>
      {names.map((name) => {
        const shown = `${text(`filter.${name}`)}: ${valueText(name, filters[name] ?? "")}`;
        return (
          <li key={name}>
            <button
              type="button"
              class="active-filter"
              aria-label={text("filters.remove", { filter: shown })}
              onClick={() => setFilter(name, undefined)}
            >
              <span dir="auto">{shown}</span>
              <span class="icon is-close" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function valueText(name: FilterName, value: string): string {
  if (name === "min_confidence") return formatPercent(Number(value));
  const isWords = !["name", "brand_name", "source", "brand_wikidata"].includes(name);
  return isWords
    ? itemsOf(value)
        .map((item) => choiceText(name, item))
        .join(", ")
    : value;
}
