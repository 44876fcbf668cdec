/** Limits on what one caller may use of the Node host. @module */
import type { ServerOptions } from "node:http";
import type { MiddlewareHandler } from "hono";
import { errorResponse } from "../../api/index.ts";

const MAX_URL_BYTES = 8 * 1024;

export interface ConnectionLimits {
  /** Maximum bytes of the request line and headers together; otherwise 431. */
  readonly headerBytes: number;
  /** Maximum milliseconds from the first byte of a request to the end of its headers; otherwise 408. */
  readonly headersMs: number;
  /** Maximum milliseconds from the first byte of a request to its last. */
  readonly requestMs: number;
  /** Maximum milliseconds without a byte in either direction. A search may take so long. */
  readonly idleMs: number;
  /** Maximum number of open connections. More get a 503; far more are closed without an answer. */
  readonly connections: number;
  /** Minimum speed at which a caller must read a waiting answer, measured over `rateMs`. Slower callers are cut off. */
  readonly leastBytesPerSecond: number;
  readonly rateMs: number;
  /** Used instead of `rateMs` while other requests wait because of slow callers. */
  readonly crowdedRateMs: number;
  /**
   * Maximum milliseconds between requests on a connection. Longer than that of proxies, so that none reuses a connection that is
   * being closed.
   */
  readonly keepAliveMs: number;
  /** Milliseconds without a request after which memory is released, which takes some tenths of a second. */
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

/** Returns those of the limits that Node's server enforces itself. */
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
