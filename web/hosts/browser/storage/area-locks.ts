/** Locks for changes to saved areas, over all tabs and workers. @module */

export interface AreaLocks {
  /**
   * Runs the work while no other tab or worker changes areas or deletes files. For short work; a call inside `work` would wait
   * for ever.
   */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Runs work on the files of an area. Returns undefined, without running it, if another caller works on this area. */
  claim<T>(id: string, work: () => Promise<T>): Promise<T | undefined>;
}

/** Returns the locks for the site in this folder. Where the browser has no locks, they hold within a tab only. */
export function areaLocks(folder: URL): AreaLocks {
  // Missing in insecure contexts and some older browsers. These lock only within a tab.
  const locks: Pick<Locks, "request"> = globalThis.navigator?.locks ?? ownLocks;
  return {
    alone: async <T>(work: () => Promise<T>) => {
      const done = await locks.request(`cairn-areas ${folder.href}`, {}, async () => ({ value: await work() }));
      return done.value;
    },
    claim: async <T>(id: string, work: () => Promise<T>) => {
      const done = await locks.request(`cairn-area ${id}`, { ifAvailable: true }, async (lock) =>
        lock ? { value: await work() } : undefined,
      );
      return done?.value;
    },
  };
}

interface Locks {
  request<T>(name: string, options: LockOptions, work: (lock: object | null) => Promise<T>): Promise<T>;
}

const under = new Map<string, Promise<unknown>>();

const ownLocks: Locks = {
  async request(name, { ifAvailable = false }, work) {
    const before = under.get(name);
    if (before && ifAvailable) return work(null);
    const result = (before ?? Promise.resolve()).then(() => work({}));
    const ended = result.then(
      () => {},
      () => {},
    );
    under.set(name, ended);
    await ended;
    if (under.get(name) === ended) under.delete(name);
    return result;
  },
};
