/** Searches at locations that the user chooses on the map. @module */
import { changed, formatPageState, type Search, startBox } from "../address/index.ts";
import { changeSearch, dataset, draft, mapSettings, pageState } from "../state/index.ts";

/**
 * Returns what the map shows first: search and view of the URL, the chosen search path, and the box in `map.json` or of the
 * dataset.
 */
export function firstLook() {
  const { search, view } = pageState.peek();
  return { search, view, path: draft.peek().path, box: mapSettings.box ?? startBox(dataset.peek()) };
}

/** Returns the search of the form at another location. The country is removed, because it could exclude all results. */
export function elsewhere(location: Partial<Pick<Search, "centre" | "radiusMeters" | "area">>): Search {
  return changed(draft.peek(), { ...location, country: undefined });
}

/** The URL of the search whose location was last chosen on the map. */
let chosenOnMap = "";

/** Runs the search of the form at a location that was chosen on the map. */
export function searchAt(location: Parameters<typeof elsewhere>[0]): void {
  changeSearch({ ...location, country: undefined });
  const { search } = pageState.peek();
  if (search) chosenOnMap = formatPageState({ search });
}

/** Returns whether the location of the search was chosen on the map. */
export function isChosenOnMap(search: Search): boolean {
  return formatPageState({ search }) === chosenOnMap;
}
