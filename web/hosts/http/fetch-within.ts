/** Sends requests that must stay within their origin: a redirect to another host would tell it what is searched. @module */

/** A host redirects a request to another origin. */
export class RedirectError extends Error {
  override readonly name = "RedirectError";
  /** HTTP status of the redirect; 0 in browsers, which hide it. */
  readonly status: number;

  constructor(message: string, { status, cause }: { readonly status: number; readonly cause?: unknown }) {
    super(message, { cause });
    this.status = status;
  }
}

const STATUSES = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Fetches the URL, and follows at most five redirects within its origin. Throws `RedirectError` for a redirect to another origin,
 * and the errors of `request`.
 */
export async function fetchWithin(
  url: URL,
  init: RequestInit = {},
  request: typeof fetch = globalThis.fetch,
): Promise<Response> {
  let at = url;
  for (let redirects = 0; ; redirects++) {
    const response = await request(at, { ...init, redirect: "manual" });
    const { status } = response;
    if (response.type === "opaqueredirect") return followHidden(url, init, request);
    const location = response.headers.get("Location");
    if (!STATUSES.has(status) || location === null) return response;
    await response.body?.cancel();
    at = new URL(location, at);
    if (at.origin !== url.origin) throw strange(url, at.origin, status);
    if (redirects >= MAX_REDIRECTS)
      throw new RedirectError(`it redirects more than ${MAX_REDIRECTS} times`, { status });
  }
}

/**
 * Fetches once more and lets the browser follow redirects, which it hides from programs. Throws `RedirectError` if they end at
 * another origin.
 */
async function followHidden(url: URL, init: RequestInit, request: typeof fetch): Promise<Response> {
  const mode = url.origin === globalThis.location?.origin ? "same-origin" : "cors";
  const response = await request(url, { ...init, mode }).catch((cause: unknown) => {
    init.signal?.throwIfAborted();
    throw new RedirectError(`it redirects outside ${url.origin}`, { status: 0, cause });
  });
  const { origin } = new URL(response.url);
  if (origin === url.origin) return response;
  await response.body?.cancel();
  throw strange(url, origin, 0);
}

function strange({ origin }: URL, other: string, status: number): RedirectError {
  return new RedirectError(`it redirects from ${origin} to another origin, ${other}`, { status });
}
