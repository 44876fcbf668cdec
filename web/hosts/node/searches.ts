/**
 * Limits the work of requests. A request that queries the dataset has a slot from its first query until its answer is written.
 * Other requests need no slot. @module
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, MiddlewareHandler } from "hono";
import type { Dataset } from "../../engine/index.ts";
import { type BodyLimits, createBodies } from "./read-ahead.ts";
import { createSlots, type SlotLimits } from "./slots.ts";

export interface SearchLimits extends SlotLimits, BodyLimits {}

export const SEARCH_LIMITS: SearchLimits = {
  // a search may take a few hundred megabytes
  running: 16,
  // more than there are connections
  waiting: 1024,
  waitMs: 30_000,
  bodyBytes: 64 * 1024 * 1024,
  unread: 32,
};

export interface SearchLoad {
  readonly running: number;
  readonly waiting: number;
  readonly bodyBytes: number;
  /** Number of answers that wait for their callers. */
  readonly unread: number;
}

/** Methods of a dataset that need no slot. */
const FREE: ReadonlySet<PropertyKey> = new Set<keyof Dataset>(["manifest", "refresh", "heldBytes"]);

type Work = ReturnType<typeof createWork>;

/**
 * The work of the request to which a call belongs. One storage for all servers, because Node 20 visits every storage that was
 * ever used at each promise.
 */
const requests = new AsyncLocalStorage<Work>();

interface SearchOptions {
  readonly limits: SearchLimits;
  readonly peerOf: (c: Context) => string;
  /** Returns whether a request needs its slot before it is handled. */
  readonly isWork: (c: Context) => boolean;
}

/**
 * Limits the searches of one server. The middleware `limit` gives a request at most one slot; `limited` returns a dataset whose
 * queries wait for that slot. `load` and `isCrowded` report how much is used.
 */
export function createSearches({ limits, peerOf, isWork }: SearchOptions) {
  const slots = createSlots(limits);
  const bodies = createBodies(limits);

  const limit: MiddlewareHandler = async (c, next) => {
    const peer = peerOf(c);
    const work = createWork(() => slots.take(peer, c.req.raw.signal));
    let isStreamed = false;
    try {
      if (isWork(c)) await work.during(async () => {});
      await requests.run(work, next);
      const { body } = c.res;
      if (!body || c.req.method === "HEAD" || !work.hasPlace()) return;
      isStreamed = true;
      c.res = new Response(bodies.readAhead(body, { peer, onWritten: work.end }), c.res);
    } finally {
      if (!isStreamed) work.end();
    }
  };

  /** Returns the dataset with methods that wait for a slot of the calling request, also on each of its releases. */
  const limited = (dataset: Dataset): Dataset => {
    const onRelease: Dataset["onRelease"] = (work, options) =>
      dataset.onRelease((pinned) => work(limited(pinned)), options);
    return new Proxy(dataset, {
      get(target, name): unknown {
        if (name === "onRelease") return onRelease;
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function" || FREE.has(name)) return member;
        return async (...values: readonly unknown[]): Promise<unknown> => {
          const call = async (): Promise<unknown> => Reflect.apply(member, target, values);
          return requests.getStore()?.during(call) ?? call();
        };
      },
    });
  };

  return {
    limit,
    limited,
    load: (): SearchLoad => ({
      running: slots.running(),
      waiting: slots.waiting(),
      bodyBytes: bodies.heldBytes(),
      unread: bodies.unread(),
    }),
    /** Whether slow readers keep slots that others wait for. */
    isCrowded: () => bodies.blocked() > 0,
  };
}

/** Returns the work of one request. Its calls share a slot, from the first call until `end` was called and all calls are done. */
function createWork(take: () => Promise<() => void>) {
  let taken: Promise<() => void> | undefined;
  let calls = 0;
  let isEnded = false;

  function settle(): void {
    if (!isEnded || calls > 0 || !taken) return;
    const own = taken;
    taken = undefined;
    own.then(
      (leave) => leave(),
      () => {},
    );
  }

  return {
    hasPlace: () => taken !== undefined,
    async during<T>(call: () => Promise<T>): Promise<T> {
      calls++;
      taken ??= take();
      try {
        await taken;
        return await call();
      } finally {
        calls--;
        settle();
      }
    },
    end(): void {
      isEnded = true;
      settle();
    },
  };
}
