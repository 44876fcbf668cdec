import { centreText, itemsOf, type Search } from "../address/index.ts";
import { presentPlace } from "../state/index.ts";
import { countryName, formatDistance, humanize, text } from "../text/index.ts";

/** The categories that a search is for; undefined where it is for all. */
export function categoriesText({ filters: { categories } }: Search): string | undefined {
  const names = itemsOf(categories).map((name) => humanize(name));
  return names.length === 0 ? undefined : names.join(", ");
}

/** Where the present search looks, in words. */
export function whereText(search: Search): string {
  const place = presentPlace.value;
  return placeText(search, place?.isReader ? text("locate.here") : place?.name);
}

/** Where a search looks, around what is called so. */
export function placeText({ centre, area, radiusMeters, country }: Search, name: string | undefined): string {
  if (area) return [text("where.area"), country && countryName(country)].filter(Boolean).join(" · ");
  if (centre) {
    const around = name ?? centreText(centre);
    const circle = text("where.circle", { distance: formatDistance(radiusMeters), around });
    return country === undefined ? circle : `${circle} · ${countryName(country)}`;
  }
  return country === undefined ? text("where.none") : countryName(country);
}
