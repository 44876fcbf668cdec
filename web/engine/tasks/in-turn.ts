/**
 * Long work cut into slices that yield to the event loop, so that key strokes and other requests are handled in between.
 * @module
 */

/** The subset used here: the types of browsers and Node differ. */
declare const MessageChannel: new () => {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: unknown): void };
};

/** A frame at 60 Hz is 17 ms: no slice starts later than this after the last yield. */
const SLICE_MS = 12;

// one queue for the thread, whatever the number of searches
let last: Promise<unknown> = Promise.resolve();
let sliceStart = 0;
let isQueued = true;

/**
 * Disables yielding for the whole program. For edge runtimes, which cancel the work of a request when its caller leaves: other
 * requests in the queue would wait for ever.
 */
export function workAtOnce(): void {
  isQueued = false;
}

/**
 * Does the work after that of earlier callers, and returns its result. Yields to the event loop before it, when 12 ms have passed
 * since the last yield.
 */
export function inTurn<T>(work: () => T): Promise<T> {
  if (!isQueued) return Promise.resolve().then(work);
  const done = last.then(async () => {
    if (performance.now() - sliceStart > SLICE_MS) {
      await nextTask();
      sliceStart = performance.now();
    }
    return work();
  });
  last = done.catch(() => {});
  return done;
}

/** Items per slice before a possible yield: some milliseconds. */
const ITEMS_AT_A_TIME = 1000;

/** Calls `work` for the items in order, up to 1000 of them before it may yield to the event loop. */
export async function eachInTurn<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => void,
): Promise<void> {
  let next = 0;
  const workOnSome = () => {
    const end = Math.min(items.length, next + ITEMS_AT_A_TIME);
    const startMs = performance.now();
    while (next < end && performance.now() - startMs < SLICE_MS) {
      work(items[next] as Item, next);
      next++;
    }
  };
  while (next < items.length) await inTurn(workOnSome);
}

/** Runs a generator to its end, several steps per slice. Rejects between two steps once the signal is aborted. */
export async function stepsInTurn(steps: Iterator<void>, signal?: AbortSignal): Promise<void> {
  let isDone = false;
  while (!isDone) {
    signal?.throwIfAborted();
    isDone = (await inTurn(() => steps.next())).done === true;
  }
}

/** Yields to the event loop: resolves in a later task. */
export function nextTask(): Promise<void> {
  if (!isQueued) return Promise.resolve();
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
