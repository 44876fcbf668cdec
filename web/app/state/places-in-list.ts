/** Positions of records in the list, and the scroll position when a record was opened. @module */
import type { Found } from "./session.ts";

interface Place {
  /** Of the last opened record, from 0. */
  readonly index: number;
  readonly scrollTop: number;
  /** Whether a record of the list was opened, and the list is hidden. */
  readonly isLeft: boolean;
}

const placesById = new WeakMap<Found, ReadonlyMap<string, number>>();
const remembered = new WeakMap<Found, Place>();

/** Returns the index of the record on the page; undefined if it is not on it. */
export function placeOf(found: Found, id: string): number | undefined {
  let places = placesById.get(found);
  if (!places) {
    places = new Map(found.records.map((record, index) => [record.id, index]));
    placesById.set(found, places);
  }
  return places.get(id);
}

/** Returns the number of the page's first record among all results, from 1. */
export function firstNumberOf({ search }: Found): number {
  return search.page * search.limit + 1;
}

/** Returns the stored position in the list of these results. */
export function rememberedPlace(found: Found): Place | undefined {
  return remembered.get(found);
}

/** Stores changes of the position in the list. */
export function rememberPlace(found: Found, change: Partial<Place>): void {
  remembered.set(found, { index: 0, scrollTop: 0, isLeft: false, ...remembered.get(found), ...change });
}
