/**
 * Web Locks, shared by all tabs of a test.
 * @module
 */

interface Request {
  readonly name: string;
  readonly isShared: boolean;
  readonly begin: () => void;
}

/** Replaces `navigator.locks`. */
export interface SharedLocks {
  request<T>(
    name: string,
    options: LockOptions | ((lock: object | null) => Promise<T>),
    work?: (lock: object | null) => Promise<T>,
  ): Promise<T>;
  query(): Promise<{ readonly held: readonly { readonly name: string }[] }>;
}

/** Returns locks that are granted in the order of the requests. */
export function sharedLocks(): SharedLocks {
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
      request.begin();
    }
  }

  return {
    async request(name, given, work = typeof given === "function" ? given : () => Promise.reject(new TypeError())) {
      const { mode, ifAvailable = false } = typeof given === "function" ? {} : given;
      const isTaken = [...held, ...waiting].some((other) => other.name === name);
      if (ifAvailable && isTaken) return work(null);
      let request: Request | undefined;
      await new Promise<void>((begin) => {
        request = { name, isShared: mode === "shared", begin };
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
  };
}
