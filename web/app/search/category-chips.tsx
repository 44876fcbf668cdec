import { examplesIn, type Search } from "../address/index.ts";
import { changeSearch, dataset, draft, isShop, presentPaths } from "../state/index.ts";
import { kindText, text } from "../text/index.ts";

/** Categories that people look for most often. Each chip is named after its first category. */
const CHIPS = [
  "restaurant",
  "cafe,coffee_shop",
  "hotel",
  "supermarket,grocery_store",
  "pharmacy",
  "bar",
  "park",
  "gas_station",
  "hospital",
  "school",
];

/**
 * Buttons with common categories of places. Each searches at the chosen location; without one, where the dataset has many rows.
 */
export function CategoryChips() {
  if (isShop || !presentPaths.value.includes("places")) return null;
  const { path, filters } = draft.value;
  const chosen = path === "places" ? filters.categories : undefined;
  return (
    <fieldset class="category-chips" aria-label={text("filter.categories")}>
      {CHIPS.map((categories) => (
        <button
          type="button"
          class="chip"
          key={categories}
          aria-pressed={chosen === categories}
          onClick={() => changeSearch(chosen === categories ? without(draft.peek()) : within(categories))}
        >
          {kindText(categories.split(",")[0])}
        </button>
      ))}
    </fieldset>
  );
}

function without({ filters: { categories: _, ...filters } }: Search): Partial<Search> {
  return { filters };
}

function within(categories: string): Partial<Search> {
  const { path, filters, centre, area, country } = draft.peek();
  const own = path === "places" ? filters : {};
  const isSomewhere = centre !== undefined || area !== undefined || country !== undefined;
  const contents = dataset.peek();
  const start = contents && examplesIn(contents)[0]?.search;
  const here = isSomewhere || !start?.centre ? {} : { centre: start.centre, radiusMeters: start.radiusMeters };
  return { path: "places", filters: { ...own, categories }, ...here };
}
