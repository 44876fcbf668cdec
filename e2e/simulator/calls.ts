/**
 * Calls of tabs: which are under way, how each ends, and whether it takes too long.
 * @module
 */
import { Wrong } from "./model.ts";
import type { VirtualTime } from "./virtual-time.ts";

interface Caller {
  readonly platform: { readonly name: string };
}

interface Call<Tab> {
  readonly text: string;
  readonly tab: Tab;
  readonly startedMs: number;
  /** Resolves the promise of the call. */
  leave: () => void;
}

interface CallEnds<T> {
  readonly onValue?: (value: T) => Promise<void>;
  readonly onError?: (error: Error) => void;
}

export interface CallsOptions {
  readonly time: VirtualTime;
  readonly note: (line: string) => void;
  readonly fail: (fault: string) => void;
  readonly hasFault: () => boolean;
}

/** A call takes at most this long: several files, each with attempts that end after 15 s. */
const LONGEST_CALL_MS = 600_000;

export class Calls<Tab extends Caller> {
  readonly #under = new Set<Call<Tab>>();
  readonly #options: CallsOptions;

  constructor(options: CallsOptions) {
    this.#options = options;
  }

  /** Makes a call. Resolves when it has ended, or its tab. Never rejects. */
  call<T>(
    tab: Tab,
    text: string,
    work: () => Promise<T>,
    { onValue = async () => {}, onError = () => {} }: CallEnds<T> = {},
  ): Promise<void> {
    const { time, note, fail } = this.#options;
    const called = `${tab.platform.name} ${text}`;
    note(called);
    return new Promise((resolve) => {
      const call: Call<Tab> = { text, tab, startedMs: time.nowMs(), leave: resolve };
      this.#under.add(call);
      work()
        .then(
          async (value) => {
            if (this.#end(call)) await onValue(value);
          },
          (error: unknown) => {
            if (!this.#end(call)) return;
            note(`${called}: ${textOf(error)}`);
            if (!isErrorLike(error)) throw new Wrong(`threw ${String(error)}`);
            onError(error);
          },
        )
        .catch((error: unknown) => fail(`${called}: ${error instanceof Error ? error.message : String(error)}`))
        .finally(resolve);
    });
  }

  /** The tab is gone: its calls do not end any more. */
  leave(tab: Tab): void {
    for (const call of this.#under) {
      if (call.tab !== tab) continue;
      this.#under.delete(call);
      this.#options.note(`${tab.platform.name} never ends ${call.text}`);
      call.leave();
    }
  }

  /** Describes the calls under way. */
  waiting(): string[] {
    return [...this.#under].map(({ text, tab }) => `${tab.platform.name} ${text}`);
  }

  /** Waits until no call is under way, or the session has a fault. */
  async calm(): Promise<void> {
    const { time, fail, hasFault } = this.#options;
    while (this.#under.size > 0 && !hasFault()) {
      const [oldest] = this.#under;
      if (oldest && time.nowMs() - oldest.startedMs > LONGEST_CALL_MS) fail(`${oldest.text} does not end`);
      await time.sleep(1000);
    }
  }

  /** Returns whether the tab is still there. */
  #end(call: Call<Tab>): boolean {
    const { time, fail } = this.#options;
    const isCurrent = this.#under.delete(call);
    const tookMs = time.nowMs() - call.startedMs;
    if (isCurrent && tookMs > LONGEST_CALL_MS) fail(`${call.text} took ${(tookMs / 1000).toFixed()} s`);
    return isCurrent;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Errors of a tab's program are of its own classes. */
function isErrorLike(error: unknown): error is Error {
  return typeof error === "object" && error !== null && "message" in error;
}
