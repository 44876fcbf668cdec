import { changed, isComplete, type Search } from "../address/index.ts";
import { changeSearch } from "../state/index.ts";
import { type MessageKey, text } from "../text/index.ts";

/** Says why a search may have found nothing, and leads on. */
export function NothingFound({ search }: { search: Search }) {
  const { centre, area, country, filters } = search;
  const unfiltered = { filters: {} };
  // Filters may be all that a search has.
  const isFiltered = Object.keys(filters).length > 0 && isComplete(changed(search, unfiltered));
  const reasons = [
    text(whereKey(search)),
    (centre ?? area) && country !== undefined && text("results.emptyCountryToo"),
    isFiltered && text("results.emptyFilters"),
  ];
  return (
    <div class="note">
      <h2>{text("results.none")}</h2>
      <p>{reasons.filter(Boolean).join(" ")}</p>
      {isFiltered && (
        <button type="button" onClick={() => changeSearch(unfiltered)}>
          {text("results.withoutFilters")}
        </button>
      )}
    </div>
  );
}

function whereKey({ centre, area, country }: Search): MessageKey {
  if (centre) return "results.emptyCircle";
  if (area) return "results.emptyArea";
  return country === undefined ? "results.emptyEverywhere" : "results.emptyCountry";
}
