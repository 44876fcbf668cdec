/** One request below a URL, watched for a stall; what goes wrong is a `FetchError`. @module */
import { joinBytes } from "../../../data/format/bytes.ts";
import { FetchError } from "../../engine/index.ts";
import { fetchWithin, RedirectError } from "./fetch-within.ts";
import { type StallWatch, watchForStall } from "./stall.ts";

const PASSING_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

export interface RequesterOptions {
  readonly base: string;
  readonly name: string;
  readonly fetch: typeof fetch;
  readonly stallMs: number;
  /** Hears of bytes of bodies as they come. */
  readonly onBytes: (bytes: number) => void;
}

interface AskOptions {
  readonly cache: RequestCache;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenAnswer {
  readonly response: Response;
  /** The body, or a little more than so many bytes of it; another caller's from now on where `signal` is given. */
  body(maxBytes: number | undefined, signal?: AbortSignal): Promise<Uint8Array>;
  leave(): Promise<void>;
}

export type Requester = ReturnType<typeof createRequester>;

export function createRequester({ base, name, fetch: request, stallMs, onBytes }: RequesterOptions) {
  function failed(path: string, cause: unknown): FetchError {
    const isRedirect = cause instanceof RedirectError;
    const answered = isRedirect ? { status: cause.status } : {};
    // callers are not told where a named source lies
    const reason = isRedirect && name !== base ? "it redirects to another origin" : reasonOf(cause);
    return new FetchError(`${path} cannot be fetched from ${name}: ${reason}`, { path, ...answered, cause });
  }

  return {
    /** Begins a request; `onWatch` hears of it. Throws `FetchError`, and the caller's reason when aborted. */
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
    /** Not tried again: the host answered. */
    tooLong: (path: string, mostBytes: number): FetchError =>
      new FetchError(`${path} of ${name} has more than ${mostBytes} bytes, the most there may be`, {
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

export function isPassing(error: unknown): boolean {
  if (!(error instanceof FetchError)) return false;
  return error.status === undefined ? !isStall(error) : PASSING_STATUSES.has(error.status);
}

export function isStall({ cause }: FetchError): boolean {
  return cause instanceof DOMException && cause.name === "TimeoutError";
}

function reasonOf(error: unknown): string {
  const isOuter = error instanceof Error && error.cause instanceof Error && !(error instanceof RedirectError);
  const reason = isOuter ? error.cause : error;
  return reason instanceof Error ? reason.message : String(reason);
}

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
  /** Reading stops soon after so many bytes: a body that is longer is not the one expected, and may never end. */
  readonly maxBytes?: number | undefined;
  readonly onChunk: (bytes: number) => void;
}

/** The bytes of the body; of one that is too long, enough of them to tell. */
async function readBody(
  { body }: Response,
  { maxBytes = Number.POSITIVE_INFINITY, onChunk }: ReadBodyOptions,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
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
