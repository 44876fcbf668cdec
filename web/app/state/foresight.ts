/**
 * Prefetches what searches will need: of one the pointer rests on, of those a step on, of the index where the map rests.
 * @module
 */
import { collectionsOf, isComplete, type Search, searchArgument, type View } from "../address/index.ts";
import { remote, savesData } from "../worker/index.ts";
import { LOOK_ROUND_MS, searchesAhead } from "./steps-ahead.ts";

/** Longer than a pointer takes that passes by, and a half of what a person takes from arriving to clicking. */
export const REST_MS = 100;

/** From farther away, some 100 km across, the middle of the map says little of where the next search is. */
const MIN_LOOK_ZOOM = 9;

/** Longer pages hold the worker up, which answers nobody meanwhile. */
const MOST_RECORDS = 1000;

export interface Foresight {
  /** The search that may come; undefined when none is in sight any more. */
  foresee(search: Search | undefined): void;
  /** A search is answered that came after another: when it lies beside that one, those a step on may come. */
  foreseeSteps(before: Search | undefined, made: Search): void;
  /** A search is made: what is not begun by now would be done beside it. What is begun goes on, since the search takes its files. */
  forget(): void;
}

/**
 * `prepare` reads what a search needs. Of what the pointer rests on one is prepared at a time: what comes next
 * stops it. Steps are prepared one after the other.
 */
export function createForesight(prepare: (search: Search, signal?: AbortSignal) => Promise<unknown>): Foresight {
  let stop = () => {};
  let rest: ReturnType<typeof setTimeout> | undefined;
  /** Begins no further step. */
  let halt = () => {};
  // whoever makes the search hears what went wrong
  const attempt = (search: Search, signal?: AbortSignal) => prepare(search, signal).catch(() => {});

  return {
    foresee(search) {
      stop();
      if (!search || !isForeseeable(search)) return;
      const running = new AbortController();
      rest = setTimeout(() => void attempt(search, running.signal), REST_MS);
      stop = () => {
        clearTimeout(rest);
        running.abort();
      };
    },
    foreseeSteps(before, made) {
      halt();
      const steps = searchesAhead(before, made).filter(isForeseeable);
      let isHalted = false;
      const start = setTimeout(async () => {
        for (const step of steps) if (!isHalted) await attempt(step);
      }, LOOK_ROUND_MS);
      halt = () => {
        clearTimeout(start);
        isHalted = true;
      };
    },
    forget() {
      clearTimeout(rest);
      halt();
    },
  };
}

function isForeseeable(search: Search): boolean {
  return search.limit <= MOST_RECORDS && isComplete(search);
}

/** Of the page. A reader who saves data loads nothing that may not be wanted. */
export const { foresee, foreseeSteps, forget } = createForesight(async (search, signal) => {
  if (!savesData()) await remote("prepare", searchArgument(search), signal);
});

/** The map rests there, and a search would have the path and the filters of this one. */
export function lookAt({ lon, lat, zoom }: View, { path, filters }: Search): void {
  if (zoom < MIN_LOOK_ZOOM || savesData()) return;
  void remote("look", { lon, lat, collections: collectionsOf(path, filters) }).catch(() => {});
}
