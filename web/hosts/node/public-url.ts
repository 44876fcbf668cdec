/** The address by which callers know the host: told by who runs it, or by a proxy that is trusted. `Host` is what a caller says. @module */

export interface PublicUrlOptions {
  readonly publicUrl?: string | undefined;
  /** Whether a proxy stands before the host and sets `X-Forwarded-Proto`, `-Host` and `-Prefix`. */
  readonly trustProxy?: boolean | undefined;
}

const FORWARDED = ["X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Prefix"];
const PREFIX = /^(\/(?!\.{1,2}(\/|$))[\w.~%!$&'()*+;=:@-]+)*\/?$/;
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d+)?$/i;

/** The base URL, ending in `/`. Throws when it is none. */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error(
      `the public URL must be an http: or https: URL without user, query and fragment, got ${JSON.stringify(text)}`,
    );
  }
  return url.href.replace(/\/?$/, "/");
}

export function addressAsked({
  publicUrl,
  trustProxy = false,
}: PublicUrlOptions): (request: Request) => string | undefined {
  const known = publicUrl === undefined ? undefined : parsePublicUrl(publicUrl);
  return (request) => {
    const base = known ?? (trustProxy ? forwardedBase(request.headers) : undefined);
    if (base === undefined) return undefined;
    const { pathname, search } = new URL(request.url);
    return base + pathname.slice(1) + search;
  };
}

function forwardedBase(headers: Headers): string | undefined {
  // each proxy adds at the end; what stands before may be the caller's
  const last = (name: string) => headers.get(name)?.split(",").at(-1)?.trim();
  const [proto = "http", host = "", prefix = ""] = FORWARDED.map(last);
  if (!/^https?$/i.test(proto) || !HOST.test(host) || !PREFIX.test(prefix)) return;
  const base = `${proto}://${host}${prefix}`;
  return URL.canParse(base) ? parsePublicUrl(base) : undefined;
}
