/** The location chosen in the search box, and its name in the URL. @module */
import { signal } from "@preact/signals";
import type { BBox } from "../../../data/format/bbox.ts";
import type { Centre, PageState, Search } from "../address/index.ts";

export interface ChosenLocation extends Pick<Search, "centre" | "country"> {
  /** Undefined for the user's own location. */
  readonly name: string | undefined;
  readonly isReader: boolean;
  readonly bbox: BBox | undefined;
}

export const chosenLocation = signal<ChosenLocation | undefined>(undefined);

/** Returns whether both have the same location. */
export function isSameLocation(location: Pick<Search, "centre" | "country">, other: typeof location): boolean {
  return isSame(location.centre, other.centre) && location.country === other.country;
}

/**
 * Returns the name for the location of the next search: the chosen one, or the current one if the location is the
 * same. The user's own location has no name, because URLs may be shared.
 */
export function nameAround(next: Search, present: Pick<PageState, "search" | "around">): string | undefined {
  const chosen = chosenLocation.peek();
  if (chosen && isSameLocation(chosen, next)) return chosen.name;
  return present.search && isSame(present.search.centre, next.centre) ? present.around : undefined;
}

/** A URL contains coordinates with six decimals. */
function isSame(a: Centre | undefined, b: Centre | undefined): boolean {
  if (!a || !b) return a === b;
  return Math.abs(a.lat - b.lat) < 1e-6 && Math.abs(a.lon - b.lon) < 1e-6;
}
