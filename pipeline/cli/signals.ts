const SIGNALS = ["SIGINT", "SIGTERM"] as const;

const lastActs = new Set<() => void>();

/**
 * Makes SIGINT and SIGTERM end the process at once. `process.exit`, which tsx would call, deadlocks with a query that
 * calls a TypeScript function. Finished tasks of a build are on disk.
 */
export function endAtOnceOnSignal(): void {
  for (const signal of SIGNALS) process.on(signal, endAtOnce);
}

/** Makes the first SIGINT or SIGTERM call `end`. A second one ends the process at once. */
export function endInOrderOnSignal(end: () => void): void {
  for (const signal of SIGNALS) {
    process.off(signal, endAtOnce);
    process.once(signal, () => {
      endAtOnceOnSignal();
      end();
    });
  }
}

/**
 * Calls `act` before a signal ends the process, because `finally` does not run then. Returns a function that cancels
 * this.
 */
export function beforeSignalEnd(act: () => void): () => void {
  lastActs.add(act);
  return () => {
    lastActs.delete(act);
  };
}

function endAtOnce(signal: NodeJS.Signals): void {
  for (const act of lastActs) act();
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
