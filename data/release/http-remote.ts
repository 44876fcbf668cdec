import { joinBytes } from "../format/bytes.ts";
import { MissingFileError, type Remote, RemoteError, type RemoteFile, UnknownHostError } from "./remote.ts";
import { PassingFault, parseRetryAfter, type RetryOptions, withRetries } from "./retry.ts";

/** Temporary HTTP errors. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

const IDLE_TIMEOUT_MS = 60_000;

/**
 * Returns a remote that reads files over HTTP. Its functions repeat requests after temporary errors, as `withRetries`
 * does. They throw `MissingFileError` for the status 403, 404 and 410, `UnknownHostError` for an unknown host name, and
 * `RemoteError` for other answers.
 */
export function httpRemote(options: HttpOptions): Remote {
  const { idleTimeoutMs = IDLE_TIMEOUT_MS, isPage = false, signal: ending } = options;
  const answered = new Set<string>();
  const ask: Ask = (request, take) => {
    const { host } = new URL(request.address);
    return withRetries(async () => {
      try {
        return await askOnce(
          { ...request, signal: joined(request.signal, ending) },
          idleTimeoutMs,
          (response, alive) => {
            answered.add(host);
            return take(response, alive);
          },
        );
      } catch (error) {
        // After an answer, a failed name look-up may be part of a network failure.
        if (isOfName(error) && !answered.has(host)) throw new UnknownHostError(host, { cause: error });
        throw error;
      }
    }, options);
  };

  return {
    readJson: (address) =>
      ask({ address }, async (response, alive) => {
        const text = await readText(response, { address, alive });
        try {
          return JSON.parse(text) as unknown;
        } catch (cause) {
          throw new RemoteError(`${address}: not JSON, begins with ${JSON.stringify(text.slice(0, 40))}`, { cause });
        }
      }),
    open: async (address) => {
      const found = await identify(ask, address, isPage);
      if (!found.hasRanges) {
        if (options.openWhole) return options.openWhole(found, ask);
        throw new RemoteError(`${address}: the host does not support Range requests`);
      }
      const { byteLength, version } = found;
      const read: RemoteFile["read"] = (start, end, signal) =>
        ask({ address, range: [start, end], signal }, async (response, alive) => {
          refuseChanged(found, identityOf(address, response, isPage ? byteLength : undefined));
          const range = response.headers.get("content-range");
          const isHidden = range === null && isPage && response.status === 206;
          if (!isHidden && range !== `bytes ${start}-${end - 1}/${byteLength}`)
            throw new RemoteError(`${address}: requested bytes ${start}-${end - 1}, got ${range ?? "no range"}`);
          return readBody(response, { address, bytes: end - start, alive });
        });
      return { address, byteLength, version, read };
    },
  };
}

async function identify(ask: Ask, address: string, isPage: boolean): Promise<Identity> {
  const isHidden = ({ status, headers }: Response): boolean =>
    isPage && status === 206 && !headers.has("content-range");
  const found = await ask({ address, range: [0, 1] }, async (response) => {
    await response.body?.cancel();
    return isHidden(response) ? undefined : identityOf(address, response);
  });
  if (found) return found;
  const whole = await ask({ address, method: "HEAD" }, async (response) => identityOf(address, response));
  return { ...whole, hasRanges: true };
}

function joined(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/** Sends a request and checks the status. A silent connection ends it. */
async function askOnce<T>(
  { address, method, range, signal }: AskOptions,
  idleTimeoutMs: number,
  take: (response: Response, alive: () => void) => Promise<T>,
): Promise<T> {
  const silence = new AbortController();
  let timer = setTimeout(() => undefined, 0);
  const alive = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new Error(`no data for ${idleTimeoutMs / 1000} s`)), idleTimeoutMs);
  };
  alive();
  // Lengths refer to the files, so transfers must not be compressed.
  const headers: Record<string, string> = { "accept-encoding": "identity" };
  if (range) headers.range = `bytes=${range[0]}-${range[1] - 1}`;
  const signals = signal ? [signal, silence.signal] : [silence.signal];
  try {
    const response = await fetch(address, { method: method ?? "GET", headers, signal: AbortSignal.any(signals) });
    alive();
    judge(address, response);
    return await take(response, alive);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw isOfTheLine(error)
      ? new PassingFault(`${address}: ${reasonOf(error, silence.signal)}`, { cause: error })
      : error;
  } finally {
    clearTimeout(timer);
  }
}

function judge(address: string, response: Response): void {
  const { status } = response;
  if (status === 200 || status === 206) return;
  void response.body?.cancel().catch(() => undefined);
  if (PASSING.has(status)) {
    const waitMs = parseRetryAfter(response.headers.get("retry-after"), Date.now());
    throw new PassingFault(`${address}: status ${status}`, { waitMs });
  }
  // Buckets that cannot be listed answer 403 for missing files.
  if (status === 404 || status === 410 || status === 403)
    throw new MissingFileError(`${address}: no such file, status ${status}`);
  throw new RemoteError(`${address}: status ${status}, expected 200 or 206`);
}

function isOfTheLine(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    (error instanceof Error && (error.name === "AbortError" || /^no data for/.test(error.message)))
  );
}

/** Node's error code. Browsers do not report it. */
function isOfName(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ("code" in at && /^(ENOTFOUND|EAI_AGAIN)$/.test(String(at.code))) return true;
  return false;
}

function reasonOf(error: unknown, silence: AbortSignal): string {
  if (silence.aborted) return String((silence.reason as Error).message);
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== "" ? `${message} (${cause.message})` : message;
}

/** A release's catalogue has some kilobytes and lists hundreds of files. */
const MOST_DOCUMENT_BYTES = 16 * 2 ** 20;

async function readText(
  response: Response,
  { address, alive }: Pick<BodyOptions, "address" | "alive">,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunksOf(response)) {
    alive();
    chunks.push(chunk);
    length += chunk.length;
    if (length > MOST_DOCUMENT_BYTES)
      throw new RemoteError(`${address}: more than ${MOST_DOCUMENT_BYTES} bytes, expected a small JSON document`);
  }
  return new TextDecoder().decode(joinBytes(chunks));
}

interface BodyOptions {
  readonly address: string;
  readonly bytes: number;
  readonly alive: () => void;
}

async function readBody(response: Response, { address, bytes, alive }: BodyOptions): Promise<Uint8Array> {
  const body = new Uint8Array(bytes);
  let length = 0;
  for await (const chunk of chunksOf(response)) {
    alive();
    if (length + chunk.length > bytes) throw new RemoteError(`${address}: more than the requested ${bytes} bytes`);
    body.set(chunk, length);
    length += chunk.length;
  }
  if (length < bytes) throw new PassingFault(`${address}: cut short, ${length} of ${bytes} bytes`);
  return body;
}

interface HttpOptions extends RetryOptions {
  /** Opens a file of a host without support of ranges. Without this function such files are refused. */
  readonly openWhole?: ((found: Identity, ask: Ask) => Promise<RemoteFile>) | undefined;
  /** True in a web page. There, hosts of other origins show only some headers, usually not `Content-Range`. */
  readonly isPage?: boolean | undefined;
  /** Cancels all requests. */
  readonly signal?: AbortSignal | undefined;
  /** After so many milliseconds without data, a request fails and is repeated. Default: 60,000. */
  readonly idleTimeoutMs?: number;
}

interface AskOptions {
  readonly address: string;
  readonly method?: "HEAD";
  /** Half-open. */
  readonly range?: readonly [start: number, end: number];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request and calls `take` with a successful response; both again after a temporary error. `take` calls `alive`
 * when it gets data.
 */
export type Ask = <T>(request: AskOptions, take: (response: Response, alive: () => void) => Promise<T>) => Promise<T>;

/** What a host says of a file: address, length, version, and whether it serves ranges of bytes. */
export interface Identity {
  readonly address: string;
  readonly byteLength: number;
  readonly version: string;
  readonly hasRanges: boolean;
}

/**
 * Returns length and version of a file, as the headers of a response report them. `knownBytes` is its length, for a
 * partial response that does not report it. Throws `RemoteError` if the length is unknown.
 */
export function identityOf(address: string, response: Response, knownBytes?: number): Identity {
  const { headers, status } = response;
  const isPart = status === 206;
  const ofRange = /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1];
  const total = ofRange ?? (isPart ? knownBytes : headers.get("content-length"));
  if (total === undefined || total === null)
    throw new RemoteError(`${address}: the host does not report the file size`);
  const version = headers.get("etag") ?? headers.get("last-modified") ?? `${total} bytes`;
  return { address, byteLength: Number(total), version, hasRanges: isPart };
}

/**
 * Throws `RemoteError` if version or length of a file differ between two responses: the download would mix two files.
 */
export function refuseChanged(was: Identity, now: Identity): void {
  if (now.version === was.version && now.byteLength === was.byteLength) return;
  throw new RemoteError(
    `${was.address}: changed while it was read, from ${was.version} to ${now.version}: the release was replaced`,
  );
}

/** Yields the chunks of a response's body. Throws if the connection breaks. */
export async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  try {
    // Some browsers lack async iteration of streams.
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    // An unfinished body would keep the connection and the process alive.
    await reader?.cancel().catch(() => undefined);
  }
}
