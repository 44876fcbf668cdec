/** Prefetches searches: that under the pointer, those a step on, and the index where the map rests. @module */
import { collectionsOf, isComplete, type Search, type View } from "../address/index.ts";
import { remote, savesData } from "../worker/index.ts";
import { orderedArgument } from "./ordered-argument.ts";
import { LOOK_ROUND_MS, searchesAhead } from "./steps-ahead.ts";

/** A pointer that passes by is gone by then; a click comes after about twice as long. */
export const REST_MS = 100;

/** At lower zooms, more than some 100 km across, the middle of the map is no hint for the next search. */
const MIN_LOOK_ZOOM = 9;

/** Longer pages would block the worker. */
const MOST_RECORDS = 1000;

/**
 * `prepare` reads what a search needs: for the pointer one at a time, the next one aborts it; for steps one after the
 * other.
 */
export function createForesight(prepare: (search: Search, signal?: AbortSignal) => Promise<unknown>) {
  let stop = () => {};
  let rest: ReturnType<typeof setTimeout> | undefined;
  /** Begins no further step. */
  let halt = () => {};
  // if it fails, so does the search itself, which tells why
  const attempt = (search: Search, signal?: AbortSignal) => prepare(search, signal).catch(() => {});

  return {
    /** The search that may come; undefined when the pointer has left. */
    foresee(search: Search | undefined): void {
      stop();
      if (!search || !isForeseeable(search)) return;
      const running = new AbortController();
      rest = setTimeout(() => void attempt(search, running.signal), REST_MS);
      stop = () => {
        clearTimeout(rest);
        running.abort();
      };
    },
    /** After the answer of a search: prefetches those a step on, if it lies beside the one before. */
    foreseeSteps(before: Search | undefined, made: Search): void {
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
    /** A search is made: nothing more is begun. What is under way goes on, since the search may need its files. */
    forget(): void {
      clearTimeout(rest);
      halt();
    },
  };
}

function isForeseeable(search: Search): boolean {
  return search.limit <= MOST_RECORDS && isComplete(search);
}

/** A reader who saves data prefetches nothing. */
export const { foresee, foreseeSteps, forget } = createForesight(async (search, signal) => {
  if (!savesData()) await remote("prepare", orderedArgument(search), signal);
});

/** Prefetches the index for a search like this one in the middle of the map. */
export function lookAt({ lon, lat, zoom }: View, { path, filters }: Search): void {
  if (zoom < MIN_LOOK_ZOOM || savesData()) return;
  void remote("look", { lon, lat, collections: collectionsOf(path, filters) }).catch(() => {});
}
