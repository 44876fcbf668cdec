/** A fault that passes: a busy host, a line that broke. */
export class PassingFault extends Error {
  /** What the host asked to wait. */
  readonly waitMs: number | undefined;

  constructor(message: string, { waitMs, cause }: { waitMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause });
    this.waitMs = waitMs;
  }
}

export interface RetryOptions {
  readonly sleep: (ms: number) => Promise<void>;
  readonly onWait: (message: string) => void;
  /** Eight when left out. */
  readonly tries?: number | undefined;
}

/** With doubling waits a minute in all: a router restarts in that. */
const MOST_TRIES = 8;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** A host that asks for more is not waited for. */
const LONGEST_ASKED_MS = 300_000;

/** Tries again while the fault is one that passes; nothing of a failed try is remembered. */
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
        throw new Error(`${error.message}, and asks to wait ${Math.ceil(waitMs / 1000)} s: go on later`, {
          cause: error,
        });
      onWait(`${error.message}; trying again in ${(waitMs / 1000).toFixed(1)} s`);
      await sleep(waitMs);
    }
  }
}

/** Spread out, so that those who were turned away together do not come back together. */
function usualWait(tries: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * (0.75 + Math.random() / 2);
}

/** Of a Retry-After header: seconds or a date. Undefined when it says nothing. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d+$/.test(text.trim())) return Number(text) * 1000;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
