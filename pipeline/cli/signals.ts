const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Without this tsx would end the process by `process.exit`, which deadlocks with a query that calls functions of
 * ours: each waits for the other. Finished tasks of a build are on disk.
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
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
