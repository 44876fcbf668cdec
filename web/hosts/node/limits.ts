/** Limits on what one caller may use of the Node host. @module */
import type { ServerOptions } from "node:http";
import type { MiddlewareHandler } from "hono";
import { errorResponse } from "../../api/index.ts";

const MAX_URL_BYTES = 8 * 1024;

export interface ConnectionLimits {
  /** Request line and headers together; more is a 431. */
  readonly headerBytes: number;
  /** From the first byte of a request to the end of its headers; longer is a 408. */
  readonly headersMs: number;
  /** From the first byte of a request to its last. */
  readonly requestMs: number;
  /** Without a byte in either direction, for callers that do not read. A search may take this long. */
  readonly idleMs: number;
  /** Open at the same time; more get a 503, and far more are closed. */
  readonly connections: number;
  /** Minimum speed of reading a waiting answer, measured over `rateMs`; slower callers are cut off. */
  readonly leastBytesPerSecond: number;
  readonly rateMs: number;
  /** Replaces `rateMs` while others wait because of slow callers. */
  readonly crowdedRateMs: number;
  /** Between requests. Longer than proxies use, so that no proxy reuses a connection that is being closed. */
  readonly keepAliveMs: number;
  /** Without a request; then memory is released, which takes some tenths of a second. */
  readonly quietMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 120_000,
  connections: 512,
  // the speed of a modem; bytes in the system's buffers count as read
  leastBytesPerSecond: 4 * 1024,
  rateMs: 20_000,
  crowdedRateMs: 2000,
  keepAliveMs: 75_000,
  quietMs: 5000,
};

/** Returns the limits that Node's server enforces itself. */
export function serverOptionsOf({ headerBytes, headersMs, requestMs, keepAliveMs }: ConnectionLimits): ServerOptions {
  return {
    maxHeaderSize: headerBytes,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    // we refuse a missing one in the standard error format
    requireHostHeader: false,
    // the default of half a minute is too slow
    connectionsCheckingInterval: Math.min(1000, headersMs),
  };
}

/** Returns middleware that answers 400 to URLs of more than `maxBytes` bytes. */
export function limitUrl(maxBytes = MAX_URL_BYTES): MiddlewareHandler {
  return async (c, next) => {
    const bytes = Buffer.byteLength(c.req.url);
    if (bytes <= maxBytes) return next();
    return errorResponse(400, [`the URL must be at most ${maxBytes} bytes, got ${bytes}`]);
  };
}
