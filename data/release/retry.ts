/** A temporary error: a busy host or a broken connection. */
export class PassingFault extends Error {
  override readonly name = "PassingFault";
  /** Delay that the host asked for, in milliseconds. */
  readonly waitMs: number | undefined;

  constructor(message: string, { waitMs, cause }: { waitMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause });
    this.waitMs = waitMs;
  }
}

/** How to wait between tries. `onWait` gets a line for people before each wait. */
export interface RetryOptions {
  readonly sleep: (ms: number) => Promise<void>;
  readonly onWait: (message: string) => void;
  /** Maximum number of calls. Default: eight. */
  readonly tries?: number | undefined;
}

/** Calls at most. With doubling delays they take about a minute: a router restarts in less. */
const MOST_TRIES = 8;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Longer delays are an error. */
const LONGEST_ASKED_MS = 300_000;

/**
 * Returns the result of `work`. Calls it again after each `PassingFault`, after a delay that doubles or that the host
 * asked for. Throws other errors at once, and an error after the last try or if the host asks for more than five
 * minutes.
 */
export async function withRetries<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { sleep, onWait, tries: most = MOST_TRIES } = options;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PassingFault)) throw error;
      if (tries === most) throw new Error(`${error.message}, ${most} times`, { cause: error });
      const waitMs = error.waitMs ?? usualWait(tries);
      if (waitMs > LONGEST_ASKED_MS)
        throw new Error(`${error.message}, and asks to wait ${Math.ceil(waitMs / 1000)} s: try again later`, {
          cause: error,
        });
      onWait(`${error.message}; trying again in ${(waitMs / 1000).toFixed(1)} s`);
      await sleep(waitMs);
    }
  }
}

/** Random, so that clients do not retry at the same time. */
function usualWait(tries: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * (0.75 + Math.random() / 2);
}

/**
 * Returns the delay of a Retry-After header (seconds or a date) in milliseconds. `now` is in milliseconds since 1970.
 * Undefined if the header is absent or invalid.
 */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text.trim())) return Number(text) * 1000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
