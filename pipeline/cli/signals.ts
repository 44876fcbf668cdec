/**
 * What a command does when it is told to stop.
 * @module
 */

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Has a signal end the process there and then. The end that tsx gives it, by `process.exit`, would never come: a query that
 * calls functions of ours waits for this thread, which would wait for the query. Finished tasks of a build are on disk.
 */
export function endAtOnceOnSignal(): void {
  for (const signal of SIGNALS) process.on(signal, endAtOnce);
}

/** Has a signal end the process by `end` from now on. A second one ends it at once. */
export function endInOrderOnSignal(end: () => void): void {
  for (const signal of SIGNALS) {
    process.off(signal, endAtOnce);
    process.once(signal, () => {
      endAtOnceOnSignal();
      end();
    });
  }
}

function endAtOnce(signal: NodeJS.Signals): void {
  // with nobody to hear it, the system ends the process
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
