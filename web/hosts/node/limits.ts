/** What one caller may take of the Node host. @module */
import type { ServerOptions } from "node:http";
import type { MiddlewareHandler } from "hono";
import { errorResponse } from "../../api/index.ts";
import { type BodyMemory, readAhead } from "./read-ahead.ts";

export const MAX_URL_BYTES = 8 * 1024;

export interface SearchLimits {
  /** At one time, until all of the answer is written: a search may hold a few hundred megabytes. */
  readonly running: number;
  /** That wait for their turn; more are told to come back. */
  readonly waiting: number;
  /** Of all answers, what is written and not yet sent. */
  readonly bodyBytes: number;
}

export const SEARCH_LIMITS: SearchLimits = { running: 16, waiting: 64, bodyBytes: 64 * 1024 * 1024 };

export interface ConnectionLimits {
  /** Of a request's line and headers together; more is a 431. */
  readonly headerBytes: number;
  /** From the first byte of a request to the end of its headers; longer is a 408. */
  readonly headersMs: number;
  /** From the first byte of a request to its last. */
  readonly requestMs: number;
  /** Without a byte in either direction: a caller that does not read its answer. A search may take this long. */
  readonly idleMs: number;
  /** Open at one time; more are told to come back, and far more closed. */
  readonly connections: number;
  /** What a caller must take of an answer that waits for it, over `rateMs`; who takes less is cut off. */
  readonly leastBytesPerSecond: number;
  readonly rateMs: number;
  /** Between requests. Longer than proxies keep a connection: else one is closed in the moment that it is used again. */
  readonly keepAliveMs: number;
  /** Without a request: then memory is given back, which takes some tenths of a second. */
  readonly quietMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 120_000,
  connections: 512,
  // a modem's; what the system's buffers hold counts as taken
  leastBytesPerSecond: 4 * 1024,
  rateMs: 20_000,
  keepAliveMs: 75_000,
  quietMs: 5000,
};

export function serverOptionsOf({ headerBytes, headersMs, requestMs, keepAliveMs }: ConnectionLimits): ServerOptions {
  return {
    maxHeaderSize: headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    // one that is missing is refused by us, in the one shape
    requireHostHeader: false,
    // by default slow callers are looked for every half minute
    connectionsCheckingInterval: Math.min(1000, headersMs),
  };
}

const RETRY_AFTER_SECONDS = "1";

/** Of a caller that has left. */
const CALLER_GONE = 499;

export function limitUrl(maxBytes = MAX_URL_BYTES): MiddlewareHandler {
  return async (c, next) => {
    const bytes = Buffer.byteLength(c.req.url);
    if (bytes <= maxBytes) return next();
    return errorResponse(400, [`the URL must be at most ${maxBytes} bytes, got ${bytes}`]);
  };
}

export interface SearchLoad {
  readonly running: number;
  readonly waiting: number;
  readonly bodyBytes: number;
}

/** Lets some searches run at a time, some wait, and answers 503 to the rest. Answers are written ahead of slow readers. */
export function limitSearches({ running: max, waiting: maxWaiting, bodyBytes }: SearchLimits) {
  const memory: BodyMemory = { maxBytes: bodyBytes, heldBytes: 0 };
  const waiting = new Set<() => void>();
  let running = 0;

  function leave(): void {
    const [next] = waiting;
    // whoever ends hands the place on
    if (next) next();
    else running--;
  }

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => () => {
        waiting.delete(take);
        signal.removeEventListener("abort", giveUp);
        act();
      };
      const take = settle(resolve);
      const giveUp = settle(() => reject(signal.reason));
      waiting.add(take);
      signal.addEventListener("abort", giveUp);
    });
  }

  const limit: MiddlewareHandler = async (c, next) => {
    const { signal } = c.req.raw;
    if (signal.aborted) return new Response(null, { status: CALLER_GONE });
    if (running < max) running++;
    else if (waiting.size >= maxWaiting) {
      return errorResponse(503, [`${max} searches are under way and ${maxWaiting} wait; try again`], {
        "Retry-After": RETRY_AFTER_SECONDS,
      });
    } else {
      const hasPlace = await turn(signal).then(
        () => true,
        () => false,
      );
      if (!hasPlace) return new Response(null, { status: CALLER_GONE });
    }
    let isStreamed = false;
    try {
      await next();
      const { body } = c.res;
      if (!body || c.req.method === "HEAD") return;
      isStreamed = true;
      c.res = new Response(readAhead(body, memory, leave), c.res);
    } finally {
      if (!isStreamed) leave();
    }
  };
  const load = (): SearchLoad => ({ running, waiting: waiting.size, bodyBytes: memory.heldBytes });
  return { limit, load };
}
