/** Requests that are neither answered nor refused. @module */

export interface StallWatch {
  /** Aborts with the caller's reason, or with a `TimeoutError` after a stall. */
  readonly signal: AbortSignal;
  renew(): void;
  /** From now on the answer is another caller's. */
  follow(caller: AbortSignal | undefined): void;
  leave(reason?: unknown): void;
  end(): void;
}

export function watchForStall(stallMs: number, caller: AbortSignal | undefined): StallWatch {
  const controller = new AbortController();
  const giveUp = () => controller.abort(new DOMException(`nothing came for ${stallMs / 1000} s`, "TimeoutError"));
  let followed: AbortSignal | undefined;
  const leave = () => controller.abort(followed?.reason);
  let timer = setTimeout(giveUp, stallMs);
  const watch: StallWatch = {
    signal: controller.signal,
    renew() {
      clearTimeout(timer);
      timer = setTimeout(giveUp, stallMs);
    },
    follow(next) {
      followed?.removeEventListener("abort", leave);
      followed = next;
      if (next?.aborted) leave();
      next?.addEventListener("abort", leave, { once: true });
    },
    leave(reason) {
      watch.end();
      controller.abort(reason);
    },
    end() {
      clearTimeout(timer);
      followed?.removeEventListener("abort", leave);
    },
  };
  watch.follow(caller);
  return watch;
}
