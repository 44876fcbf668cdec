/**
 * Regions that people write after a town. `regions.json` has them by country and by the code in addresses, from ISO
 * 3166-2. Data of addresses does not name the provinces of Italy, so these have no name there. States of the United
 * States are in `states.ts`.
 * @module
 */
import { foldText } from "../../../data/format/fold.ts";
import REGIONS from "./regions.json" with { type: "json" };
import { stateCalled } from "./states.ts";

interface Region {
  readonly country: string;
  /** Folded; undefined if no data names it. */
  readonly name: string | undefined;
  readonly code: string;
}

const ALL: readonly Region[] = Object.entries(REGIONS).flatMap(([country, regions]) =>
  Object.entries<string | null>(regions).map(([code, name]) => ({
    country,
    code,
    name: name === null ? undefined : foldText(name),
  })),
);

/** Returns the regions with the folded code or name. */
function regionsCalled(text: string): readonly Region[] {
  const state = stateCalled(text.split(" "));
  return [
    ...(state ? [{ country: "US", code: state.letters, name: foldText(state.name) }] : []),
    ...ALL.filter(({ code, name }) => code === text || name === text),
  ];
}

/** Returns whether the folded text is the code or the name of a region in any country. */
export function isRegion(text: string): boolean {
  return regionsCalled(text).length > 0;
}

/**
 * Returns whether a row of the country with these places may be in the region that the folded text names: one of the places is
 * the region, or none of them names another region.
 */
export function agreesWithRegion(text: string, country: string, places: readonly string[]): boolean {
  const folded = places.map(foldText);
  if (folded.includes(text)) return true;
  return regionsCalled(text).some((region) => {
    if (region.country !== country) return false;
    if (region.name === undefined || folded.some((place) => place === region.name || place === region.code))
      return true;
    // a row that names another region is elsewhere
    return !folded.some((place) => regionsCalled(place).some((other) => other.country === country));
  });
}
