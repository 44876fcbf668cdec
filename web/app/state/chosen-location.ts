/** The location that was chosen in the search box, and its name for the URL. @module */
import { signal } from "@preact/signals";
import type { BBox } from "../../../data/format/bbox.ts";
import type { Centre, PageState, Search } from "../address/index.ts";

export interface ChosenLocation extends Pick<Search, "centre" | "country"> {
  /** Name of the location; undefined for the user's own location. */
  readonly name: string | undefined;
  readonly isReader: boolean;
  readonly bbox: BBox | undefined;
}

export const chosenLocation = signal<ChosenLocation | undefined>(undefined);

/** Returns whether both have the same country and the same centre to six decimals. */
export function isSameLocation(location: Pick<Search, "centre" | "country">, other: typeof location): boolean {
  return isSame(location.centre, other.centre) && location.country === other.country;
}

/**
 * Returns the name of the location of the next search, for its URL: that of the chosen location, or the present one if the centre
 * stays. Undefined for the user's own location, because URLs may be shared.
 */
export function nameAround(next: Search, present: Pick<PageState, "search" | "around">): string | undefined {
  const chosen = chosenLocation.peek();
  if (chosen && isSameLocation(chosen, next)) return chosen.name;
  return present.search && isSame(present.search.centre, next.centre) ? present.around : undefined;
}

/** Whether both are the same position to six decimals, as in URLs. */
function isSame(a: Centre | undefined, b: Centre | undefined): boolean {
  if (!a || !b) return a === b;
  return Math.abs(a.lat - b.lat) < 1e-6 && Math.abs(a.lon - b.lon) < 1e-6;
}
