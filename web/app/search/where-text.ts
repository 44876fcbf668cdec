import { isOwnName } from "../../../data/format/own-collections.ts";
import { centreText, itemsOf, type Search } from "../address/index.ts";
import { presentLocation } from "../state/index.ts";
import { countryName, formatDistance, humanize, pathText, text } from "../text/index.ts";

/** Returns the categories of the search in words; undefined if it has no filter by category. */
export function categoriesText({ filters: { categories } }: Search): string | undefined {
  const names = itemsOf(categories).map((name) => humanize(name));
  return names.length === 0 ? undefined : names.join(", ");
}

/** Returns the search in words, as parts: the text in names, what, and where. It must be the current search. */
export function searchWords(search: Search): readonly string[] {
  const { path, filters, centre, area, country } = search;
  const what = categoriesText(search) ?? pathText(path);
  return [
    ...(filters.name === undefined ? [] : [`“${filters.name}”`]),
    what,
    ...(centre || area || country !== undefined ? [whereText(search)] : []),
  ];
}

/** Returns the location of the search in words. It must be the current search, because only that has a name of its location. */
export function whereText(search: Search): string {
  const location = presentLocation.value;
  return locationText(search, location?.isReader ? text("locate.here") : location?.name);
}

/** Returns the location of a search in words. A circle is around the given name, or without one around its coordinates. */
export function locationText({ path, centre, area, radiusMeters, country }: Search, name: string | undefined): string {
  if (area) return [text("where.area"), country && countryName(country)].filter(Boolean).join(" · ");
  if (centre) {
    const around = name ?? centreText(centre);
    const circle = text("where.circle", { distance: formatDistance(radiusMeters), around });
    return country === undefined ? circle : `${circle} · ${countryName(country)}`;
  }
  if (country !== undefined) return countryName(country);
  return text(isOwnName(path) ? "where.anyCountry" : "where.none");
}
