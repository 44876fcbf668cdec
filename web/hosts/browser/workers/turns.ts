/** Lets tiles wait for searches: drawing the base map must not delay an answer. @module */

/** How long nothing must have run before `quiet` resolves: about as long as a person looks at an answer. */
const QUIET_MS = 1500;

export interface Turns {
  /** Runs a search, for which tiles wait. */
  search<V>(work: Promise<V>): Promise<V>;
  /** Returns `make` as a function that makes one tile at a time, and only while no search runs. */
  tiles<A, V>(make: (argument: A, signal: AbortSignal) => Promise<V>): (argument: A, signal: AbortSignal) => Promise<V>;
  /** Resolves when nothing has run for 1.5 seconds. */
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
