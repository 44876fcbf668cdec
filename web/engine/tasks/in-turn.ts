/**
 * Long work in pieces, so that the thread is let go between them: what else waits on it, a key stroke or another
 * request, has its turn.
 * @module
 */

/** As much of it as is needed here: browsers and Node type it each in their own way. */
declare const MessageChannel: new () => {
  readonly port1: { onmessage: (() => void) | null; close(): void };
  readonly port2: { postMessage(message: unknown): void };
};

/** A frame at 60 Hz is 17 ms; a piece is started only when less has been worked since the thread was last let go. */
const SLICE_MS = 12;

// of the thread, whatever the number of searches
let last: Promise<unknown> = Promise.resolve();
let sliceStart = 0;

/** Does the work after that of all earlier callers, and in a later task when they have taken their time. */
export function inTurn<T>(work: () => T): Promise<T> {
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

/** Lets go of the thread: resolves in a task of its own. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
