/**
 * Has the files of a search at hand before it is made: where the pointer rests on what makes one; and of the index what searches need
 * where the map rests.
 * @module
 */

import { remote, savesData } from "./engine.ts";
import { collectionsOf } from "./filters.ts";
import { isComplete, restAddress, type Search, type View } from "./search.ts";

/** Longer than a pointer takes that passes by, and a half of what a person takes from arriving to clicking. */
export const REST_MS = 100;

/** From farther away, some 100 km across, the middle of the map says little of where the next search is. */
const MIN_LOOK_ZOOM = 9;

/** Longer pages hold the worker up, which answers nobody meanwhile. */
const MOST_RECORDS = 1000;

export interface Foresight {
  /** The search that may come; undefined when none is in sight any more. */
  foresee(search: Search | undefined): void;
  /** A search is made: what is not begun by now would be done beside it. What is begun goes on, since the search takes its files. */
  forget(): void;
}

/** `prepare` reads what the search at a REST address needs. One is prepared at a time: what comes next stops it. */
export function createForesight(prepare: (address: string, signal: AbortSignal) => Promise<unknown>): Foresight {
  let stop = () => {};
  let rest: ReturnType<typeof setTimeout> | undefined;
  return {
    forget: () => clearTimeout(rest),
    foresee(search) {
      stop();
      // an area is not in the address, and asks for more than its page
      if (!search || search.area || search.limit > MOST_RECORDS || !isComplete(search)) return;
      const running = new AbortController();
      rest = setTimeout(() => {
        // whoever makes the search hears what went wrong
        prepare(restAddress(search), running.signal).catch(() => {});
      }, REST_MS);
      stop = () => {
        clearTimeout(rest);
        running.abort();
      };
    },
  };
}

/** Of the page. A reader who saves data loads nothing that may not be wanted. */
export const { foresee, forget } = createForesight(async (address, signal) => {
  if (!savesData()) await remote("prepare", address, signal);
});

/** The map rests there, and a search would have the path and the filters of this one. */
export function lookAt({ lon, lat, zoom }: View, { path, filters }: Search): void {
  if (zoom < MIN_LOOK_ZOOM || savesData()) return;
  void remote("look", { lon, lat, collections: collectionsOf(path, filters) }).catch(() => {});
}
