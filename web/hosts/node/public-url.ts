/**
 * The URL by which callers reach the host: from its options, or from a trusted proxy. Callers can send any `Host`, so it counts
 * only if it names the caller's own machine. @module
 */
import { OGC_PATH } from "../../api/index.ts";

export interface PublicUrlOptions {
  readonly publicUrl?: string | undefined;
  /** Whether a proxy is in front of the host, which sets `X-Forwarded-Proto`, `-Host` and `-Prefix`. */
  readonly trustProxy?: boolean | undefined;
}

const FORWARDED = ["X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Prefix"];
const PREFIX = /^(\/(?!\.{1,2}(\/|$))[\w.~%!$&'()*+;=:@-]+)*\/?$/;
/** Whether the path is below `/ogc`, for programs such as GDAL, which read only absolute links. */
const isForDesktops = (path: string): boolean => path === OGC_PATH || path.startsWith(`${OGC_PATH}/`);
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;
/** Headers that proxies set. A proxy on this machine may send its own name as `Host`, which is loopback too. */
const PROXIED = [...FORWARDED, "X-Forwarded-For", "X-Real-IP", "Forwarded", "Via"];
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d+)?$/i;

/**
 * Returns the base URL, ending in `/`. Throws when the text is no `http:` or `https:` URL, or has a user, a query or a fragment.
 */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error(
      `the public URL must be an http: or https: URL without user, query and fragment, got ${JSON.stringify(text)}`,
    );
  }
  return url.href.replace(/\/?$/, "/");
}

/**
 * Returns a function that returns the URL by which the caller of a request reached the host; undefined if it is not known. Throws
 * for an invalid `publicUrl`.
 */
export function addressAsked({
  publicUrl,
  trustProxy = false,
}: PublicUrlOptions): (request: Request) => string | undefined {
  const known = publicUrl === undefined ? undefined : parsePublicUrl(publicUrl);
  return (request) => {
    const { pathname, search } = new URL(request.url);
    const given = known ?? (trustProxy ? forwardedBase(request.headers) : undefined);
    const base = given ?? (isForDesktops(pathname) ? loopbackBase(request.headers) : undefined);
    return base === undefined ? undefined : base + pathname.slice(1) + search;
  };
}

function loopbackBase(headers: Headers): string | undefined {
  const host = headers.get("Host") ?? "";
  if (!LOOPBACK.test(host) || PROXIED.some((name) => headers.has(name))) return;
  const base = `http://${host}`;
  return URL.canParse(base) ? parsePublicUrl(base) : undefined;
}

function forwardedBase(headers: Headers): string | undefined {
  // each proxy appends; earlier entries may be forged
  const last = (name: string) => headers.get(name)?.split(",").at(-1)?.trim();
  const [proto = "http", host = "", prefix = ""] = FORWARDED.map(last);
  if (!/^https?$/i.test(proto) || !HOST.test(host) || !PREFIX.test(prefix)) return;
  const base = `${proto}://${host}${prefix}`;
  return URL.canParse(base) ? parsePublicUrl(base) : undefined;
}
