/** Work of the map that waits until the browser has painted the list. @module */
import { effect } from "@preact/signals";

/** What runs. It may return a function that ends what it started. */
// biome-ignore lint/suspicious/noConfusingVoidType: most return nothing
type Effect = () => void | (() => void);

const due = new Set<() => void>();

/** Calls the function after the next paint. Functions that wait for the same paint run together. */
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
 * Calls `run` now. When a signal that `run` reads changes, calls at once the function that `run` returned, if any, and after the
 * next paint `run` again. Returns a function that stops this.
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
