/**
 * Checks the hosts and origins of requests, so that a web page cannot reach a server meant for this machine.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 * @module
 */
import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import { errorResponse } from "../../api/index.ts";
import { type PublicUrlOptions, parsePublicUrl } from "./public-url.ts";

export interface CallerOptions extends PublicUrlOptions {
  /**
   * Origins of pages that may use `/mcp`, in the form that `parseOrigin` returns. Their hosts are allowed in the header `Host`.
   */
  readonly origins?: readonly string[] | undefined;
}

const ANY = "*";
/** What browsers send as the origin of a page in a file or a sandbox. */
const OPAQUE = "null";

/**
 * Returns the origin in the form that browsers send, such as `https://app.example`; `*` and `null` unchanged. Throws for any
 * other text.
 */
export function parseOrigin(text: string): string {
  if (text === ANY || text === OPAQUE) return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new Error(
    `an origin must be http: or https:, a host and optionally a port, such as https://app.example, or * for any; got ${JSON.stringify(text)}`,
  );
}

/**
 * Returns two middlewares that answer 403. `checkHost` refuses a foreign `Host` while the server listens on a loopback address
 * (not behind a trusted proxy); `checkOrigin` refuses web pages of other origins. Origin `*` turns both off. `address` returns
 * the address of the server.
 */
export function guardCallers({ origins = [], publicUrl, trustProxy = false }: CallerOptions, address: () => string) {
  const known = [...(publicUrl === undefined ? [] : [new URL(parsePublicUrl(publicUrl)).origin]), ...origins];
  const isAny = known.includes(ANY);
  const hosts = known.flatMap((origin) => (URL.canParse(origin) ? [new URL(origin).hostname] : []));

  /** On a loopback address: refuses a page whose own name resolves to this machine (DNS rebinding). */
  const checkHost: MiddlewareHandler = async (c, next) => {
    const host = c.req.header("Host");
    if (host === undefined || isAny || trustProxy || !isLoopback(nameOf(address()))) return next();
    const name = nameOf(host);
    if (isLoopback(name) || hosts.includes(name)) return next();
    return errorResponse(403, [
      `Host must be a name of this machine, such as localhost, got ${JSON.stringify(host)}: the server listens only on ${address()}; --origin http://${host} allows it`,
    ]);
  };

  /**
   * A page must have an allowed origin, or come from this machine, or from this server by its IP address. Programs
   * send no Origin.
   */
  const checkOrigin: MiddlewareHandler = async (c, next) => {
    const origin = c.req.header("Origin");
    if (origin === undefined || isAny || known.includes(origin)) return next();
    const { hostname = "", host = "" } = URL.canParse(origin) ? new URL(origin) : {};
    const isOwn = isAddress(hostname) && host === c.req.header("Host");
    if (isOwn || isLoopback(hostname)) return next();
    return errorResponse(403, [
      `Origin must be one that may use /mcp, got ${JSON.stringify(origin)}; --origin ${origin} allows it`,
    ]);
  };

  return { checkHost, checkOrigin };
}

/** Returns the host of a `Host` header or socket address in the form that URLs have; any other text unchanged. */
function nameOf(host: string): string {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  return URL.canParse(url) ? new URL(url).hostname : host;
}

/** Whether browsers resolve this host to the machine itself without a name server. */
function isLoopback(name: string): boolean {
  return /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$|^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\]$/.test(name);
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, "")) !== 0;
}
