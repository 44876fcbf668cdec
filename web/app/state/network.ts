/**
 * Finds out from requests whether the host of the dataset answers. Of the browser only "offline" is trusted, because "online"
 * means any network. @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { HostAnswer } from "../../hosts/browser/protocol/index.ts";

/**
 * What the last request says. `off`: no answer, and the browser is offline; `silent`: no answer; `faulty`: the host answers, but
 * not with the dataset.
 */
type NetworkState = "unknown" | "online" | "off" | "silent" | "faulty";

export interface NetworkOptions {
  /** Requests the manifest. Its result is passed to `note` before the promise settles. */
  readonly ask: () => Promise<unknown>;
  readonly isOff: () => boolean;
  readonly isHidden: () => boolean;
  readonly savesData: () => boolean;
  readonly nowMs?: () => number;
}

export interface Network {
  readonly state: ReadonlySignal<NetworkState>;
  /** Notes the result of a request. */
  note(answer: HostAnswer): void;
  /** Notes that the browser says it is online or offline, and checks the host unless offline. */
  noteBrowser(): void;
  /** Checks the host at once, or `FIRST_MS` after the last check, unless one is running. */
  ask(): void;
  /** Checks the host like `ask`, but only if it did not answer before. */
  askIfUnclear(): void;
}

/** First wait before the host is checked again. Each further wait is twice as long, up to `MOST_MS`. */
export const FIRST_MS = 2000;
export const MOST_MS = 60_000;
/** Time online after which waits begin with `FIRST_MS` again. A host that fails sooner is asked less and less. */
export const STEADY_MS = 60_000;

/**
 * Creates the watcher. While the host does not answer, it is checked again after growing waits, except while the page is hidden,
 * the browser is offline, or the user saves data.
 */
export function createNetwork(options: NetworkOptions): Network {
  const { isOff, isHidden, savesData, nowMs = () => performance.now() } = options;
  const state = signal<NetworkState>(isOff() ? "off" : "unknown");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let onlineSinceMs = Number.NEGATIVE_INFINITY;
  let waitMs = FIRST_MS;

  const isBad = () => !["online", "unknown"].includes(state.peek());

  function look(): void {
    timer = undefined;
    isAsking = true;
    askedAtMs = nowMs();
    options
      .ask()
      .catch(() => {})
      .finally(() => {
        isAsking = false;
        waitForHost();
      });
  }

  function stopWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function waitForHost(): void {
    if (!isBad() || isAsking || timer !== undefined || isOff() || isHidden() || savesData()) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (!isHidden() && !isOff()) look();
    }, waitMs);
    waitMs = Math.min(2 * waitMs, MOST_MS);
  }

  function ask(): void {
    if (isAsking) return;
    stopWaiting();
    timer = setTimeout(look, Math.max(0, askedAtMs + FIRST_MS - nowMs()));
  }

  function askIfUnclear(): void {
    if (isBad()) ask();
  }

  return {
    state,
    ask,
    askIfUnclear,
    note(answer) {
      if (answer === "perhaps") return askIfUnclear();
      const isOnline = state.peek() === "online";
      if (answer === "answered") {
        if (isOnline) return;
        stopWaiting();
        onlineSinceMs = nowMs();
        state.value = "online";
        return;
      }
      if (isOnline && nowMs() - onlineSinceMs >= STEADY_MS) waitMs = FIRST_MS;
      state.value = answer === "faulty" ? "faulty" : isOff() ? "off" : "silent";
      waitForHost();
    },
    noteBrowser() {
      waitMs = FIRST_MS;
      if (!isOff()) return ask();
      stopWaiting();
      state.value = "off";
    },
  };
}
