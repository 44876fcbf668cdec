const SIGNALS = ["SIGINT", "SIGTERM"] as const;

const lastActs = new Set<() => void>();

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

/** Does something before a signal ends the process, which runs no `finally` then; the returned function takes it back. */
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
