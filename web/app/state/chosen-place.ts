/** The name and bbox of the place chosen in the search box, valid while the search is there. @module */
import { computed, signal } from "@preact/signals";
import type { BBox } from "../../../data/format/bbox.ts";
import type { Centre, Search } from "../address/index.ts";
import { draft } from "./session.ts";

export interface ChosenPlace extends Pick<Search, "centre" | "country"> {
  /** Undefined for the reader's own location. */
  readonly name: string | undefined;
  readonly isReader: boolean;
  readonly bbox: BBox | undefined;
}

export const chosenPlace = signal<ChosenPlace | undefined>(undefined);

/** The chosen place while the search is still there. */
export const presentPlace = computed(() => {
  const place = chosenPlace.value;
  const { centre, country } = draft.value;
  return place && isSame(place.centre, centre) && place.country === country ? place : undefined;
});

/** An address holds coordinates to six decimals. */
function isSame(a: Centre | undefined, b: Centre | undefined): boolean {
  if (!a || !b) return a === b;
  return Math.abs(a.lat - b.lat) < 1e-6 && Math.abs(a.lon - b.lon) < 1e-6;
}
