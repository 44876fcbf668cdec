/** Work of the map that waits until the list is painted. @module */
import { effect } from "@preact/signals";

/** May return a function that ends what it started. */
// biome-ignore lint/suspicious/noConfusingVoidType: most return nothing
type Effect = () => void | (() => void);

const due = new Set<() => void>();

/** Calls the function after the next paint. All that is due runs together. */
function afterPaint(act: () => void): void {
  if (due.size === 0) requestAnimationFrame(() => requestAnimationFrame(runDue));
  due.add(act);
}

function runDue(): void {
  const acts = [...due];
  due.clear();
  for (const act of acts) act();
}

/**
 * Runs the function now, and after the next paint when a signal changes that it reads. It may return a function that ends what it
 * started. Returns a function that stops.
 */
export function effectAfterPaint(run: Effect): () => void {
  let stop = () => {};
  const start = () => {
    stop();
    let isStarted = false;
    stop = effect(() => {
      if (isStarted) return afterPaint(start);
      isStarted = true;
      return run();
    });
  };
  start();
  return () => {
    due.delete(start);
    stop();
  };
}
