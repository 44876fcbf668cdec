/** The place chosen in the search box, and what it is called in the address. @module */
import { signal } from "@preact/signals";
import type { BBox } from "../../../data/format/bbox.ts";
import type { Centre, PageState, Search } from "../address/index.ts";

export interface ChosenPlace extends Pick<Search, "centre" | "country"> {
  /** Undefined for the reader's own location. */
  readonly name: string | undefined;
  readonly isReader: boolean;
  readonly bbox: BBox | undefined;
}

export const chosenPlace = signal<ChosenPlace | undefined>(undefined);

/** Whether both look in the same place. */
export function isSamePlace(place: Pick<Search, "centre" | "country">, other: typeof place): boolean {
  return isSame(place.centre, other.centre) && place.country === other.country;
}

/**
 * What the place of the next search is called: the chosen one, else the present one while the search stays there. The reader's
 * own location is not called anything: an address may be handed on.
 */
export function nameAround(next: Search, present: Pick<PageState, "search" | "around">): string | undefined {
  const chosen = chosenPlace.peek();
  if (chosen && isSamePlace(chosen, next)) return chosen.name;
  return present.search && isSame(present.search.centre, next.centre) ? present.around : undefined;
}

/** An address holds coordinates to six decimals. */
function isSame(a: Centre | undefined, b: Centre | undefined): boolean {
  if (!a || !b) return a === b;
  return Math.abs(a.lat - b.lat) < 1e-6 && Math.abs(a.lon - b.lon) < 1e-6;
}
