/** What one caller may take of the Node host. @module */
import type { ServerOptions } from "node:http";
import type { MiddlewareHandler } from "hono";
import { errorResponse } from "../../api/index.ts";

export const MAX_URL_BYTES = 8 * 1024;

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
  /** In place of `rateMs` while others wait because of slow callers. */
  readonly crowdedRateMs: number;
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
  crowdedRateMs: 2000,
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

export function limitUrl(maxBytes = MAX_URL_BYTES): MiddlewareHandler {
  return async (c, next) => {
    const bytes = Buffer.byteLength(c.req.url);
    if (bytes <= maxBytes) return next();
    return errorResponse(400, [`the URL must be at most ${maxBytes} bytes, got ${bytes}`]);
  };
}
