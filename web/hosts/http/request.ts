/** Sends one request below a URL, and watches for a silent host. Failures are a `FetchError`. @module */
import { joinBytes } from "../../../data/format/bytes.ts";
import { FetchError } from "../../engine/index.ts";
import { fetchWithin, RedirectError } from "./fetch-within.ts";
import { type StallWatch, watchForStall } from "./stall.ts";

const PASSING_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

interface RequesterOptions {
  readonly base: string;
  readonly name: string;
  readonly fetch: typeof fetch;
  readonly stallMs: number;
  /** Called with the number of bytes of a body as they arrive. */
  readonly onBytes: (bytes: number) => void;
}

interface AskOptions {
  readonly cache: RequestCache;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenAnswer {
  readonly response: Response;
  /**
   * Reads the body; stops soon after `maxBytes`. With `signal`, the body belongs to another caller from then on: only that
   * caller's abort ends it.
   */
  body(maxBytes: number | undefined, signal?: AbortSignal): Promise<Uint8Array>;
  leave(): Promise<void>;
}

export type Requester = ReturnType<typeof createRequester>;

/** Returns a function that requests files below a URL. */
export function createRequester({ base, name, fetch: request, stallMs, onBytes }: RequesterOptions) {
  function failed(path: string, cause: unknown): FetchError {
    const isRedirect = cause instanceof RedirectError;
    const answered = isRedirect ? { status: cause.status } : {};
    // errors must not reveal the URL of a named source
    const reason = isRedirect && name !== base ? "it redirects to another origin" : reasonOf(cause);
    return new FetchError(`${path} cannot be fetched from ${name}: ${reason}`, { path, ...answered, cause });
  }

  return {
    /** Starts a request; `onWatch` receives its watch. Throws `FetchError`, and the caller's reason when aborted. */
    async open(
      path: string,
      { cache, headers = {}, signal }: AskOptions,
      onWatch: (watch: StallWatch) => void = () => {},
    ): Promise<OpenAnswer> {
      const watch = watchForStall(stallMs, signal);
      onWatch(watch);
      try {
        const init = { cache, headers, signal: watch.signal };
        const response = await fetchWithin(new URL(path, base), init, request);
        return {
          response,
          async body(maxBytes, next) {
            if (next) watch.follow(next);
            try {
              const onChunk = (bytes: number) => {
                watch.renew();
                onBytes(bytes);
              };
              return await readBody(response, { maxBytes, onChunk });
            } catch (cause) {
              (next ?? signal)?.throwIfAborted();
              throw failed(path, cause);
            } finally {
              watch.end();
            }
          },
          async leave() {
            watch.end();
            await response.body?.cancel().catch(() => {});
          },
        };
      } catch (cause) {
        watch.end();
        signal?.throwIfAborted();
        throw failed(path, cause);
      }
    },
    /** Not retried: the host answered. */
    tooLong: (path: string, mostBytes: number): FetchError =>
      new FetchError(`${path} of ${name} has more than ${mostBytes} bytes, the maximum`, {
        path,
        status: 200,
      }),
    refused: (path: string, status: number, expected: string): FetchError =>
      new FetchError(`${path} cannot be fetched from ${name}: status ${status}, expected ${expected}`, {
        path,
        status,
      }),
  };
}

/** Returns whether a retry may succeed: a network failure or a temporary status. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof FetchError)) return false;
  return error.status === undefined ? !isStall(error) : PASSING_STATUSES.has(error.status);
}

/** Returns whether the request failed because no bytes arrived in time. */
export function isStall({ cause }: FetchError): boolean {
  return cause instanceof DOMException && cause.name === "TimeoutError";
}

function reasonOf(error: unknown): string {
  const isOuter = error instanceof Error && error.cause instanceof Error && !(error instanceof RedirectError);
  const reason = isOuter ? error.cause : error;
  return reason instanceof Error ? reason.message : String(reason);
}

/**
 * Resolves after the delay. Rejects with the signal's reason when it is aborted meanwhile. A signal that was aborted before has
 * no effect.
 */
export function wait(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
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

interface ReadBodyOptions {
  /** Reading stops soon after this number of bytes: a longer body is not the expected one, and may be endless. */
  readonly maxBytes?: number | undefined;
  readonly onChunk?: (bytes: number) => void;
}

/** Returns the bytes of the body. Of a body longer than `maxBytes`, returns a few more than `maxBytes`. */
export async function readBody(
  { body }: Response,
  { maxBytes = Number.POSITIVE_INFINITY, onChunk = () => {} }: ReadBodyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let sizeBytes = 0;
  const reader = body?.getReader();
  while (reader && sizeBytes <= maxBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    onChunk(value.byteLength);
    chunks.push(value);
    sizeBytes += value.byteLength;
  }
  await reader?.cancel();
  return joinBytes(chunks);
}
