/** Tiles wait for searches: drawing the base map must not delay an answer. @module */

/** About the time that a person looks at an answer before moving on. */
const QUIET_MS = 1500;

export interface Turns {
  search<V>(work: Promise<V>): Promise<V>;
  /** Makes tiles one at a time, and only while no search runs. */
  tiles<A, V>(make: (argument: A, signal: AbortSignal) => Promise<V>): (argument: A, signal: AbortSignal) => Promise<V>;
  /** Resolves when nothing has run for a while. */
  quiet(): Promise<void>;
}

/** Creates a queue for the work of one worker. */
export function createTurns(): Turns {
  const searches = new Set<Promise<unknown>>();
  const drawn = new Set<Promise<unknown>>();
  return {
    search: (work) => during(searches, work),
    tiles(make) {
      let last: Promise<unknown> = Promise.resolve();
      return (argument, signal) => {
        const made = last.then(async () => {
          while (searches.size > 0) await Promise.allSettled(searches);
          signal.throwIfAborted();
          return make(argument, signal);
        });
        last = made.catch(() => {});
        return during(drawn, made);
      };
    },
    async quiet() {
      do {
        await Promise.allSettled([...searches, ...drawn]);
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      } while (searches.size > 0 || drawn.size > 0);
    },
  };
}

function during<V>(running: Set<Promise<unknown>>, work: Promise<V>): Promise<V> {
  running.add(work);
  return work.finally(() => running.delete(work));
}
