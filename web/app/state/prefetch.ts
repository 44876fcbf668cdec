/**
 * Prefetches searches: the one under the pointer, the next steps of a move, and the index where the map rests.
 * @module
 */
import { collectionsOf, isComplete, type Search, type View } from "../address/index.ts";
import { remote, savesData } from "../worker/index.ts";
import { orderedArgument } from "./ordered-argument.ts";
import { LOOK_ROUND_MS, searchesAhead } from "./steps-ahead.ts";

/** A passing pointer is gone by then; a click takes about twice as long. */
export const REST_MS = 100;

/** At lower zooms, more than about 100 km across, the middle of the map does not predict the next search. */
const MIN_LOOK_ZOOM = 9;

/** Longer pages would block the worker. */
const MOST_RECORDS = 1000;

/**
 * Creates the prefetcher. `prepare` reads what a search needs: for the pointer one at a time, cancelled by the next;
 * for steps in sequence.
 */
export function createPrefetch(prepare: (search: Search, signal?: AbortSignal) => Promise<unknown>) {
  let stop = () => {};
  let rest: ReturnType<typeof setTimeout> | undefined;
  /** Starts no further step. */
  let halt = () => {};
  // if it fails, the search itself reports the error
  const attempt = (search: Search, signal?: AbortSignal) => prepare(search, signal).catch(() => {});

  return {
    /** Called with the search under the pointer; undefined when the pointer has left. */
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
    /** Called after a search: prefetches the next steps, if it is close to the previous one. */
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
    /**
     * Called when a search starts: starts nothing more. A running prefetch continues, because the search may need its
     * files.
     */
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

/** Prefetches the index for a search like this one in the middle of the map. */
export function lookAt({ lon, lat, zoom }: View, { path, filters }: Search): void {
  if (zoom < MIN_LOOK_ZOOM || savesData()) return;
  void remote("look", { lon, lat, collections: collectionsOf(path, filters) }).catch(() => {});
}
