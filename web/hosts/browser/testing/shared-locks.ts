/**
 * Web Locks, shared by all tabs of a test.
 * @module
 */

interface Request {
  readonly name: string;
  readonly isShared: boolean;
  readonly owner: object;
  readonly begin: () => void;
}

/** Replaces `navigator.locks`. */
interface TabLocks {
  request<T>(
    name: string,
    options: LockOptions | ((lock: object | null) => Promise<T>),
    work?: (lock: object | null) => Promise<T>,
  ): Promise<T>;
  query(): Promise<{ readonly held: readonly { readonly name: string }[] }>;
  /** The tab is gone: its locks are free, and its requests are never answered. */
  end(): void;
}

export interface SharedLocks extends TabLocks {
  /** Returns the locks as another tab sees them. */
  openTab(): TabLocks;
}

/** Returns locks that are granted in the order of the requests. `schedule` calls a function when a lock is granted. */
export function sharedLocks(schedule: (begin: () => void) => unknown = (begin) => begin()): SharedLocks {
  const held = new Set<Request>();
  const waiting: Request[] = [];
  const mayBegin = ({ name, isShared }: Request) =>
    [...held].every((other) => other.name !== name || (isShared && other.isShared));

  function next(): void {
    for (const request of [...waiting]) {
      const isFirst = waiting.find(({ name }) => name === request.name) === request;
      if (!isFirst || !mayBegin(request)) continue;
      waiting.splice(waiting.indexOf(request), 1);
      held.add(request);
      schedule(request.begin);
    }
  }

  function openTab(): TabLocks {
    const owner = {};
    let isGone = false;
    return {
      async request(name, given, work = typeof given === "function" ? given : () => Promise.reject(new TypeError())) {
        if (isGone) return new Promise(() => {});
        const { mode, ifAvailable = false } = typeof given === "function" ? {} : given;
        const isTaken = [...held, ...waiting].some((other) => other.name === name);
        if (ifAvailable && isTaken) return work(null);
        let request: Request | undefined;
        await new Promise<void>((resolve) => {
          request = { name, isShared: mode === "shared", owner, begin: () => isGone || resolve() };
          waiting.push(request);
          next();
        });
        try {
          return await work({});
        } finally {
          if (request) held.delete(request);
          next();
        }
      },
      async query() {
        return { held: [...held].map(({ name }) => ({ name })) };
      },
      end() {
        isGone = true;
        for (const request of [...held]) if (request.owner === owner) held.delete(request);
        for (const request of [...waiting]) if (request.owner === owner) waiting.splice(waiting.indexOf(request), 1);
        next();
      },
    };
  }

  return { ...openTab(), openTab };
}
