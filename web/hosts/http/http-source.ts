/**
 * A dataset below a URL, for browsers and Node.
 * @module
 */
import { type ByteSource, FetchError, type ReadOptions } from "../../engine/index.ts";
import { fetchWithin, RedirectError } from "./fetch-within.ts";
import { readBody } from "./read-body.ts";
import { watchForStall } from "./stall.ts";

/** Waits before the second and the third attempt. A person waits for the answer: three attempts take half a second. */
const RETRY_DELAYS_MS = [100, 400];

/** Statuses after which the same request may do better. */
const PASSING_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Time without a byte after which nobody is taken to answer. Slow networks pause for seconds, and people wait that long. */
const STALL_MS = 15_000;

export interface HttpSourceOptions {
  /** What errors call it; the URL when left out. */
  readonly name?: string;
  readonly fetch?: typeof fetch;
  readonly retryDelaysMs?: readonly number[];
  readonly stallMs?: number;
}

/**
 * The files below the URL, whole, by GET. Network failures and passing statuses are tried again; any other status than
 * 200 is a `FetchError`, and so are an answer that stalls and a redirect to another origin. Whether the bytes are the right
 * ones is the engine's to check.
 */
export function httpSource(url: string, options: HttpSourceOptions = {}): ByteSource {
  const { fetch: request = globalThis.fetch.bind(globalThis), retryDelaysMs = RETRY_DELAYS_MS } = options;
  const { stallMs = STALL_MS } = options;
  const base = url.endsWith("/") ? url : `${url}/`;
  const { name = base } = options;

  async function attempt(path: string, options: ReadOptions): Promise<Uint8Array> {
    const { signal, bytes, maxBytes = bytes } = options;
    const watch = watchForStall(stallMs, signal);
    let status: number | undefined;
    try {
      const init = { cache: cacheMode(options), signal: watch.signal };
      const response = await fetchWithin(new URL(path, base), init, request);
      status = response.status;
      if (status === 200) return await readBody(response, { maxBytes, onChunk: watch.renew });
      await response.body?.cancel();
    } catch (cause) {
      signal?.throwIfAborted();
      const isRedirect = cause instanceof RedirectError;
      const answered = isRedirect ? { status: cause.status } : {};
      // under a name, where the files lie is no caller's to know
      const reason = isRedirect && name !== base ? "it redirects to another origin" : reasonOf(cause);
      throw new FetchError(`${path} cannot be fetched from ${name}: ${reason}`, { path, ...answered, cause });
    } finally {
      watch.end();
    }
    throw new FetchError(`${path} cannot be fetched from ${name}: status ${status}, expected 200`, { path, status });
  }

  return {
    name,
    async read(path, options = {}) {
      for (const delayMs of retryDelaysMs) {
        try {
          return await attempt(path, options);
        } catch (error) {
          if (!isPassing(error)) throw error;
          await wait(delayMs, options.signal);
        }
      }
      return attempt(path, options);
    },
  };
}

/** Whether the same request may do better at once. Who waited for a stall has waited long enough. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof FetchError)) return false;
  if (error.status !== undefined) return PASSING_STATUSES.has(error.status);
  return !(error.cause instanceof DOMException && error.cause.name === "TimeoutError");
}

/** A hashed file asked for anew was damaged: no cache may answer. The manifest may be revalidated. */
function cacheMode({ fresh, bytes }: ReadOptions): RequestCache {
  if (!fresh) return "default";
  return bytes === undefined ? "no-cache" : "reload";
}

function reasonOf(error: unknown): string {
  const isOuter = error instanceof Error && error.cause instanceof Error && !(error instanceof RedirectError);
  const reason = isOuter ? error.cause : error;
  return reason instanceof Error ? reason.message : String(reason);
}

function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", leave);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", leave, { once: true });
  });
}
