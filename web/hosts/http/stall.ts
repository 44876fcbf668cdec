/** Detects requests to which a host sends nothing any more. @module */

export type StallWatch = ReturnType<typeof watchForStall>;

/**
 * Returns a watch whose signal is aborted when `renew` is not called for `stallMs` milliseconds, or when `caller` is aborted.
 * Call `end` when the request is done.
 */
export function watchForStall(stallMs: number, caller: AbortSignal | undefined) {
  const controller = new AbortController();
  const giveUp = () =>
    controller.abort(new DOMException(`nothing was received for ${stallMs / 1000} s`, "TimeoutError"));
  let followed: AbortSignal | undefined;
  const leave = () => controller.abort(followed?.reason);
  let timer = setTimeout(giveUp, stallMs);
  const watch = {
    /** Aborts with the caller's reason, or with a `TimeoutError` after a stall. */
    signal: controller.signal,
    renew(): void {
      clearTimeout(timer);
      timer = setTimeout(giveUp, stallMs);
    },
    /** Passes the answer to another caller. */
    follow(next: AbortSignal | undefined): void {
      followed?.removeEventListener("abort", leave);
      followed = next;
      if (next?.aborted) leave();
      next?.addEventListener("abort", leave, { once: true });
    },
    leave(reason?: unknown): void {
      watch.end();
      controller.abort(reason);
    },
    end(): void {
      clearTimeout(timer);
      followed?.removeEventListener("abort", leave);
    },
  };
  watch.follow(caller);
  return watch;
}
