/**
 * Reads what the next search may need: a search under the pointer, the next steps of a movement, and the index in the middle of
 * the map. @module
 */
import { collectionsOf, isComplete, type Search, type View } from "../address/index.ts";
import { remote, savesData } from "../worker/index.ts";
import { orderedArgument } from "./ordered-argument.ts";
import { LOOK_ROUND_MS, searchesAhead } from "./steps-ahead.ts";

/** Time that the pointer must rest. A passing pointer is gone by then; a click takes about twice as long. */
export const REST_MS = 100;

/** Lowest zoom at which the middle of the map predicts the next search. Below, the map is more than about 100 km wide. */
const MIN_LOOK_ZOOM = 9;

/** Maximum length of a page that is prefetched. Longer ones would keep the worker busy. */
const MOST_RECORDS = 1000;

/**
 * Creates functions that call `prepare`, which reads what a search needs. Its errors are ignored, because the search itself
 * reports them.
 */
export function createPrefetch(prepare: (search: Search, signal?: AbortSignal) => Promise<unknown>) {
  let stop = () => {};
  let rest: ReturnType<typeof setTimeout> | undefined;
  /** Stops further steps. A running one continues. */
  let halt = () => {};
  // if it fails, the search itself reports the error
  const attempt = (search: Search, signal?: AbortSignal) => prepare(search, signal).catch(() => {});

  return {
    /** Prefetches the search under the pointer after `REST_MS`, and cancels the previous one. Undefined: the pointer has left. */
    prefetch(search: Search | undefined): void {
      stop();
      if (!search || !mayPrefetch(search)) return;
      const running = new AbortController();
      rest = setTimeout(() => void attempt(search, running.signal), REST_MS);
      stop = () => {
        clearTimeout(rest);
        running.abort();
      };
    },
    /** Prefetches the likely next searches one after the other, if the search `made` is close to the one before. */
    prefetchSteps(before: Search | undefined, made: Search): void {
      halt();
      const steps = searchesAhead(before, made).filter(mayPrefetch);
      let isHalted = false;
      const start = setTimeout(async () => {
        for (const step of steps) if (!isHalted) await attempt(step);
      }, LOOK_ROUND_MS);
      halt = () => {
        clearTimeout(start);
        isHalted = true;
      };
    },
    /** Starts nothing more, because a search starts. What runs continues, because the search may need its files. */
    forget(): void {
      clearTimeout(rest);
      halt();
    },
  };
}

function mayPrefetch(search: Search): boolean {
  return search.limit <= MOST_RECORDS && isComplete(search);
}

/** Prefetches nothing if the user saves data. */
export const { prefetch, prefetchSteps, forget } = createPrefetch(async (search, signal) => {
  if (!savesData()) await remote("prepare", orderedArgument(search), signal);
});

/** Reads the index for a search like this one in the middle of the map; nothing at low zooms, or if the user saves data. */
export function lookAt({ lon, lat, zoom }: View, { path, filters }: Search): void {
  if (zoom < MIN_LOOK_ZOOM || savesData()) return;
  void remote("look", { lon, lat, collections: collectionsOf(path, filters) }).catch(() => {});
}
