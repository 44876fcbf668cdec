import { CONTACTS, type FilterName, filtersOf, OPERATING_STATUSES, typesOf } from "../address/index.ts";
import { changeSearch, draft } from "../state/index.ts";
import { text } from "../text/index.ts";
import { CategoryFilter } from "./filters-categories.tsx";
import { ChoicesFilter, ConfidenceFilter, TextFilter } from "./filters-fields.tsx";

/** The filters of the chosen kind. Each acts at once. */
export function Filters() {
  const { path } = draft.value;
  return (
    <section id="filters" class="filters" aria-label={text("form.filters")}>
      {filtersOf(path).map((name) => (
        <Filter key={`${path} ${name}`} name={name} />
      ))}
    </section>
  );
}

function Filter({ name }: { name: FilterName }) {
  const { path, filters } = draft.value;
  const props = { name, value: filters[name], onChange: (value: string | undefined) => setFilter(name, value) };
  switch (name) {
    case "categories":
      return <CategoryFilter {...props} />;
    case "operating_status":
      return <ChoicesFilter {...props} choices={OPERATING_STATUSES} />;
    case "has_contact":
      return <ChoicesFilter {...props} choices={CONTACTS} />;
    case "types":
      return <ChoicesFilter {...props} choices={typesOf(path)} />;
    case "min_confidence":
      return <ConfidenceFilter {...props} />;
    case "brand_wikidata":
    case "taxonomy":
      // Found in addresses, and seldom known by heart: shown among the filters that hold.
      return null;
    default:
      return <TextFilter {...props} />;
  }
}

/** Searches with another value of the filter; without it for undefined. */
export function setFilter(name: FilterName, value: string | undefined): void {
  const { [name]: _, ...others } = draft.peek().filters;
  changeSearch({ filters: value === undefined ? others : { ...others, [name]: value } });
}
