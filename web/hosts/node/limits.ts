/**
 * What one caller may take of the Node host.
 * @module
 */
import type { ServerOptions } from "node:http";
import type { MiddlewareHandler } from "hono";
import { errorResponse } from "../../api/errors.ts";

/** Longest URL, in bytes. */
export const MAX_URL_BYTES = 8 * 1024;

/** Searches at one time: a search may hold a few hundred megabytes. */
export const MAX_SEARCHES = 16;

/** Searches that may wait for their turn; more are told to come back. */
export const MAX_WAITING = 64;

/** What a connection may take: bytes, and time. */
export interface ConnectionLimits {
  /** Of a request's line and headers together; more is a 431. */
  readonly headerBytes: number;
  /** From the first byte of a request to the end of its headers; longer is a 408. */
  readonly headersMs: number;
  /** From the first byte of a request to its last. */
  readonly requestMs: number;
  /** Without a byte in either direction: a caller that does not read its answer. A search may take this long. */
  readonly idleMs: number;
  /** Between requests. Longer than proxies keep a connection: else one is closed in the moment that it is used again. */
  readonly keepAliveMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 120_000,
  keepAliveMs: 75_000,
};

/** The limits as Node's HTTP server takes them. */
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

/** Refuses longer URLs. */
export function limitUrl(maxBytes = MAX_URL_BYTES): MiddlewareHandler {
  return async (c, next) => {
    const bytes = Buffer.byteLength(c.req.url);
    if (bytes <= maxBytes) return next();
    return errorResponse(400, [`the URL must be at most ${maxBytes} bytes, got ${bytes}`]);
  };
}

/** Lets `max` requests run at a time, and `maxWaiting` wait; 503 for the rest. */
export function limitConcurrency(max = MAX_SEARCHES, maxWaiting = MAX_WAITING): MiddlewareHandler {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (_, next) => {
    if (running >= max) {
      if (waiting.length >= maxWaiting) {
        return errorResponse(503, [`${max} searches are under way and ${maxWaiting} wait; try again`], {
          "Retry-After": RETRY_AFTER_SECONDS,
        });
      }
      // the one that ends hands its place on
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running++;
    }
    try {
      return await next();
    } finally {
      const resume = waiting.shift();
      if (resume) resume();
      else running--;
    }
  };
}
