import {
  CONTACTS,
  type FilterName,
  filtersOf,
  INCLUDE_UNKNOWN,
  includesUnknown,
  itemsOf,
  OPERATING_STATUSES,
  ownFilterNamed,
  ownFiltersOf,
  typesOf,
} from "../address/index.ts";
import { changeSearch, draft } from "../state/index.ts";
import { formatPercent, text } from "../text/index.ts";
import { Unfold } from "../widgets/index.ts";
import { FacetFilter } from "./filters-facet.tsx";
import {
  ChoicesFilter,
  ConfidenceFilter,
  choiceText,
  filterProps,
  filterTitle,
  setFilter,
  TextFilter,
} from "./filters-fields.tsx";
import { LateHistogram } from "./late-histogram.tsx";
import { OwnFilters } from "./own-filters.tsx";
import { UnknownCount } from "./unknown-count.tsx";

/** The filters of the chosen kind of records. A change searches at once. */
export function Filters() {
  const { path } = draft.value;
  const own = ownFiltersOf(path);
  return (
    <section id="filters" class="filters" aria-label={text("form.filters")}>
      {own ? (
        <OwnFilters key={path} filters={own} />
      ) : (
        filtersOf(path).map((name) => <Filter key={`${path} ${name}`} name={name} />)
      )}
    </section>
  );
}

function Filter({ name }: { name: FilterName }) {
  const { path } = draft.value;
  const props = filterProps(name);
  switch (name) {
    case "categories":
      return <FacetFilter {...props} facet="category" />;
    case "subtype":
    case "class":
      return <FacetFilter {...props} facet={name} isSingle />;
    case "surface":
      return <FacetFilter {...props} facet={name} />;
    case "speed_limit":
      return <FacetFilter {...props} facet="speed" />;
    case "operating_status":
      return <ChoicesFilter {...props} choices={OPERATING_STATUSES} />;
    case "has_contact":
      return <ChoicesFilter {...props} choices={CONTACTS} />;
    case "types":
      return <ChoicesFilter {...props} choices={typesOf(path)} />;
    case "min_confidence":
      return (
        <div>
          <ConfidenceFilter {...props} />
          <UnknownCount name={name} every="0" />
        </div>
      );
    case "min_height":
      return <BoundsFilter min={name} max="max_height" />;
    case "min_floors":
      return <BoundsFilter min={name} max="max_floors" />;
    case "taxonomy":
      return (
        <Unfold title={text("filter.taxonomy")}>
          {() => <FacetFilter {...props} facet="taxonomy" isTitleHidden />}
        </Unfold>
      );
    case "max_height":
    case "max_floors":
      // next to the minimum
      return null;
    case "brand_wikidata":
      // Used in URLs, and rarely known by heart: shown only among the active filters.
      return null;
    default:
      return <TextFilter {...props} />;
  }
}

/** Fields for the least and the greatest value of a column. */
function BoundsFilter({ min, max }: { readonly min: FilterName; readonly max: FilterName }) {
  return (
    <div>
      <div class="range">
        <TextFilter {...filterProps(min)} inputMode="decimal" />
        <TextFilter {...filterProps(max)} inputMode="decimal" />
      </div>
      <UnknownCount name={min} every="0" />
      <LateHistogram min={min} max={max} />
    </div>
  );
}

/** The filters that are set, each with a button that removes it. */
export function ActiveFilters() {
  const { path, filters, isOpenNow } = draft.value;
  const names = Object.keys(filters).filter((name) => name !== INCLUDE_UNKNOWN);
  const count = names.length + (isOpenNow ? 1 : 0);
  if (count === 0) return null;
  return (
    <ul class="active-filters" aria-label={text("filters.active")}>
      {names.map((name) => {
        const value = valueText(name, filters[name] ?? "");
        const isAlsoUnknown = includesUnknown(path, filters, name);
        const shown = `${filterTitle(name)}: ${isAlsoUnknown ? text("filter.orUnknown", { value }) : value}`;
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
      {isOpenNow && (
        <li>
          <button
            type="button"
            class="active-filter"
            aria-label={text("filters.remove", { filter: text("hours.openNow") })}
            onClick={() => changeSearch({ isOpenNow: false })}
          >
            <span>{text("hours.openNow")}</span>
            <span class="icon is-close" />
          </button>
        </li>
      )}
      {count > 1 && (
        <li>
          <button
            type="button"
            class="active-filter is-all"
            onClick={() => changeSearch({ filters: {}, isOpenNow: false })}
          >
            {text("filters.clear")}
          </button>
        </li>
      )}
    </ul>
  );
}

function valueText(name: string, value: string): string {
  const own = ownFilterNamed(draft.value.path, name);
  if (own?.bound) return `${own.bound === "min" ? "≥" : "≤"} ${value}`;
  if (own?.kind === "words") return value;
  if (name === "min_confidence") return formatPercent(Number(value));
  const isWords = !["name", "brand_name", "source", "brand_wikidata"].includes(name);
  return isWords
    ? itemsOf(value)
        .map((item) => choiceText(name, item))
        .join(", ")
    : value;
}
