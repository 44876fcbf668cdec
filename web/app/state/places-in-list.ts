/** Where records stand in the list, and where the reader was in it when a record was opened. @module */
import type { Found } from "./session.ts";

interface Place {
  /** Of the record that was opened last, from 0. */
  readonly index: number;
  /** Pixels. */
  readonly scrollTop: number;
  /** Whether a record of the list was opened, and the list left for it. */
  readonly isLeft: boolean;
}

const placesById = new WeakMap<Found, ReadonlyMap<string, number>>();
const remembered = new WeakMap<Found, Place>();

/** The index of the record on the page; undefined when it is not there. */
export function placeOf(found: Found, id: string): number | undefined {
  let places = placesById.get(found);
  if (!places) {
    places = new Map(found.records.map((record, index) => [record.id, index]));
    placesById.set(found, places);
  }
  return places.get(id);
}

/** The number of the page's first record among all that were found, from 1. */
export function firstNumberOf({ search }: Found): number {
  return search.page * search.limit + 1;
}

export function rememberedPlace(found: Found): Place | undefined {
  return remembered.get(found);
}

export function rememberPlace(found: Found, change: Partial<Place>): void {
  remembered.set(found, { index: 0, scrollTop: 0, isLeft: false, ...remembered.get(found), ...change });
}
