/**
 * Caches the results of asynchronous work.
 * @module
 */

/** Results of asynchronous work by key. Only successes are remembered. */
export interface Memo<V> {
  /**
   * Returns the cached result, the pending one, or that of `load`. A failure is not cached. It rejects the caller that started
   * the load; a caller that joined loads once more. An abort rejects only its caller, and aborts the load when no caller is left.
   */
  get(key: string, load: (signal: AbortSignal) => Promise<V>, signal?: AbortSignal): Promise<V>;
  /** Returns the cached result; undefined if there is none or it is pending. */
  peek(key: string): V | undefined;
  delete(key: string): void;
  clear(): void;
}

interface Work<V> {
  readonly promise: Promise<V>;
  readonly controller: AbortController;
  callers: number;
}

/** Callbacks by abort signal, behind one listener: a search waits for many files, and Node warns of many listeners. */
const onAborts = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `leave` when the signal is aborted; returns the function that unregisters it. */
function onAbort(signal: AbortSignal, leave: () => void): () => void {
  let leaves = onAborts.get(signal);
  if (!leaves) {
    const all = new Set<() => void>();
    leaves = all;
    onAborts.set(signal, all);
    const leaveAll = () => {
      for (const each of all) each();
    };
    signal.addEventListener("abort", leaveAll, { once: true });
  }
  leaves.add(leave);
  return () => leaves.delete(leave);
}

/** Creates an empty memo. */
export function createMemo<V>(): Memo<V> {
  const done = new Map<string, V>();
  const underWay = new Map<string, Work<V>>();

  function begin(key: string, load: (signal: AbortSignal) => Promise<V>): Work<V> {
    const controller = new AbortController();
    const work = { promise: load(controller.signal), controller, callers: 0 };
    underWay.set(key, work);
    const settle = () => {
      const isCurrent = underWay.get(key) === work;
      if (isCurrent) underWay.delete(key);
      return isCurrent;
    };
    work.promise.then(
      (value) => settle() && done.set(key, value),
      () => settle(),
    );
    return work;
  }

  function join(key: string, work: Work<V>, signal: AbortSignal | undefined): Promise<V> {
    work.callers++;
    if (!signal) return work.promise;
    return new Promise((resolve, reject) => {
      const stay = onAbort(signal, () => {
        work.callers--;
        if (work.callers === 0 && underWay.get(key) === work) {
          underWay.delete(key);
          work.controller.abort(signal.reason);
        }
        reject(signal.reason);
      });
      work.promise.then(
        (value) => {
          stay();
          resolve(value);
        },
        (error) => {
          stay();
          reject(error);
        },
      );
    });
  }

  return {
    async get(key, load, signal) {
      signal?.throwIfAborted();
      const value = done.get(key);
      if (value !== undefined) return value;
      const earlier = underWay.get(key);
      if (earlier) {
        try {
          return await join(key, earlier, signal);
        } catch {
          // Started before this call: the cause of its failure may be over.
          signal?.throwIfAborted();
        }
      }
      return join(key, underWay.get(key) ?? begin(key, load), signal);
    },
    peek: (key) => done.get(key),
    delete(key) {
      done.delete(key);
      underWay.delete(key);
    },
    clear() {
      done.clear();
      underWay.clear();
    },
  };
}

/**
 * Runs the work with a signal of its own. It is aborted with the caller's signal, and when the work fails, so that its other
 * requests are cancelled and later callers do not join them.
 */
export async function withOwnSignal<T>(
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const leave = () => controller.abort(caller?.reason);
  caller?.addEventListener("abort", leave, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    controller.abort();
    throw error;
  } finally {
    caller?.removeEventListener("abort", leave);
  }
}
