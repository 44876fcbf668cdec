/**
 * Virtual time: events in the order of their times, without waiting. Between two events all microtasks run, as in a
 * browser between two tasks.
 * @module
 */

interface Event {
  readonly atMs: number;
  /** Events of one time happen in the order in which they were scheduled. */
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

export type Scheduled = { isCancelled: boolean };

/** `done`: the condition holds. `idle`: nothing will ever happen again. `late`: the limit is reached. */
export type RunEnd = "done" | "idle" | "late";

export interface VirtualTime {
  nowMs(): number;
  schedule(delayMs: number, run: () => void): Scheduled;
  sleep(delayMs: number): Promise<void>;
  /** Runs events until the condition holds, which is tested after each. */
  run(isDone: () => boolean, limitMs: number): Promise<RunEnd>;
}

/** Taken before a session replaces it. */
const nextTurn = globalThis.setImmediate;
/** Runs all microtasks at once. Node has it without documenting it; a turn of the event loop does the same, but is slower. */
const runMicrotasks: unknown = Reflect.get(process, "_tickCallback");

/** Starts at time 0. */
export function createVirtualTime(): VirtualTime {
  const heap: Event[] = [];
  let nowMs = 0;
  let order = 0;

  const isBefore = (a: Event, b: Event) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

  function push(event: Event): void {
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Event;
      if (!isBefore(event, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = event;
  }

  function pop(): Event | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Event, heap[below] as Event)) below++;
      const child = heap[below] as Event;
      if (!isBefore(child, last)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return first;
  }

  /** Runs one event. Returns how the run ended, or undefined if it goes on. */
  function step(isDone: () => boolean, limitMs: number): RunEnd | undefined {
    if (isDone()) return "done";
    const event = pop();
    if (!event) return "idle";
    if (event.isCancelled) return undefined;
    nowMs = Math.max(nowMs, event.atMs);
    if (nowMs > limitMs) return "late";
    event.run();
    return undefined;
  }

  const time: VirtualTime = {
    nowMs: () => nowMs,
    schedule(delayMs, run) {
      const event: Event = { atMs: nowMs + Math.max(0, delayMs), order: order++, run, isCancelled: false };
      push(event);
      return event;
    },
    sleep: (delayMs) => new Promise((resolve) => void time.schedule(delayMs, resolve)),
    run: (isDone, limitMs) =>
      new Promise((resolve, reject) => {
        const turn = () => {
          try {
            let end: RunEnd | undefined;
            do {
              end = step(isDone, limitMs);
              if (typeof runMicrotasks === "function") runMicrotasks.call(process);
              else if (!end) return void nextTurn(turn);
            } while (!end);
            resolve(end);
          } catch (error) {
            reject(error);
          }
        };
        nextTurn(turn);
      }),
  };
  return time;
}
