/**
 * Requests that nobody answers and nobody refuses: a network that is there in name only.
 * @module
 */

export interface StallWatch {
  /** Aborts with the caller's reason, or with a `TimeoutError` when nothing was heard for too long. */
  readonly signal: AbortSignal;
  /** Something was heard. */
  renew(): void;
  end(): void;
}

/** Watches one request. */
export function watchForStall(stallMs: number, caller: AbortSignal | undefined): StallWatch {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new DOMException(`nothing came for ${stallMs / 1000} s`, "TimeoutError"));
  const leave = () => controller.abort(caller?.reason);
  let timer = setTimeout(giveUp, stallMs);
  if (caller?.aborted) leave();
  caller?.addEventListener("abort", leave, { once: true });
  return {
    signal: controller.signal,
    renew() {
      clearTimeout(timer);
      timer = setTimeout(giveUp, stallMs);
    },
    end() {
      clearTimeout(timer);
      caller?.removeEventListener("abort", leave);
    },
  };
}
