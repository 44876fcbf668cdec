/** Slots for the work of requests. Some requests run, some wait, and no client address can take all of either. @module */
import { BusyError } from "../../api/index.ts";

export interface SlotLimits {
  readonly running: number;
  readonly waiting: number;
  /** Maximum milliseconds that a request waits before it is refused. */
  readonly waitMs: number;
}

/** Maximum share of all slots for one client address. */
const SHARE = 3 / 4;

interface Waiter {
  readonly peer: string;
  readonly take: () => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Returns the slots of one server. `take` waits for a slot, and rejects with `BusyError` if too many wait or the wait is too
 * long.
 */
export function createSlots({ running: most, waiting: mostWaiting, waitMs }: SlotLimits) {
  const share = Math.ceil(most * SHARE);
  const runningOf = new Map<string, number>();
  const queue = new Set<Waiter>();
  let running = 0;

  const mayRun = (peer: string) => running < most && (runningOf.get(peer) ?? 0) < share;
  const busy = () => new BusyError(`${running} searches are running and ${queue.size} are waiting: try again later`);

  function begin(peer: string): () => void {
    running++;
    runningOf.set(peer, (runningOf.get(peer) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      running--;
      const left = (runningOf.get(peer) ?? 0) - 1;
      if (left > 0) runningOf.set(peer, left);
      else runningOf.delete(peer);
      nextOf(queue)?.take();
    };
  }

  /** The first waiting request of the peer with the fewest slots. */
  function nextOf(waiters: Iterable<Waiter>): Waiter | undefined {
    let best: Waiter | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const waiter of waiters) {
      const own = runningOf.get(waiter.peer) ?? 0;
      if (own >= fewest || !mayRun(waiter.peer)) continue;
      best = waiter;
      fewest = own;
    }
    return best;
  }

  /** The last request of the peer that waits most often, if more often than the new one. */
  function heaviestBut(newcomer: string): Waiter | undefined {
    const counts = new Map<string, number>();
    for (const { peer } of queue) counts.set(peer, (counts.get(peer) ?? 0) + 1);
    const [heaviest, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ["", 0]);
    if (count <= (counts.get(newcomer) ?? 0) + 1) return undefined;
    return [...queue].findLast(({ peer }) => peer === heaviest);
  }

  return {
    running: () => running,
    waiting: () => queue.size,
    /**
     * Returns a function that frees the slot. Throws `BusyError` when no slot is free in time, and the reason of the
     * signal.
     */
    async take(peer: string, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      if (mayRun(peer)) return begin(peer);
      if (queue.size >= mostWaiting) {
        const other = heaviestBut(peer);
        if (!other) throw busy();
        other.refuse(busy());
      }
      return new Promise((resolve, reject) => {
        const settle = () => {
          queue.delete(waiter);
          clearTimeout(timer);
          signal.removeEventListener("abort", leave);
        };
        const waiter: Waiter = {
          peer,
          take() {
            settle();
            resolve(begin(peer));
          },
          refuse(reason) {
            settle();
            reject(reason);
          },
        };
        const leave = () => waiter.refuse(signal.reason);
        const timer = setTimeout(() => waiter.refuse(busy()), waitMs);
        queue.add(waiter);
        signal.addEventListener("abort", leave);
      });
    },
  };
}
