import type { ByteSource, ReadOptions } from "../../engine/index.ts";
import { joinRanges } from "./join-ranges.ts";
import { createPackMemory, type PackMemory } from "./pack-memory.ts";
import { rangeReader } from "./read-range.ts";
import { createRequester, isPassing, wait } from "./request.ts";
import { requestCost } from "./request-cost.ts";

/** Waits before the second and the third attempt. A person waits for the answer: three attempts take half a second. */
const RETRY_DELAYS_MS = [100, 400];

/** Time without a byte after which nobody is taken to answer. Slow networks pause for seconds, and people wait that long. */
const STALL_MS = 15_000;

export interface HttpSourceOptions {
  readonly name?: string;
  readonly fetch?: typeof fetch;
  readonly retryDelaysMs?: readonly number[];
  readonly stallMs?: number;
  /** How the browser's cache takes part in requests for ranges: `no-store` where another cache keeps them, since the browser's lets one range of a file come at a time. */
  readonly rangeCache?: RequestCache;
  readonly packs?: PackMemory;
  /** Hears of bytes of bodies as they come. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Files below the URL, whole or in ranges. Network failures and passing statuses are tried again; any other status, a stall and a
 * redirect to another origin is a `FetchError`. Ranges that lie close and are asked for at once are one request.
 */
export function httpSource(url: string, options: HttpSourceOptions = {}): ByteSource {
  const { fetch: request = globalThis.fetch.bind(globalThis), retryDelaysMs = RETRY_DELAYS_MS } = options;
  const { stallMs = STALL_MS, rangeCache = "default", packs = createPackMemory(), onBytes = () => {} } = options;
  const base = url.endsWith("/") ? url : `${url}/`;
  const { name = base } = options;
  const requester = createRequester({ base, name, fetch: request, stallMs, onBytes });

  async function retrying<T>(attempt: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    for (const delayMs of retryDelaysMs) {
      try {
        return await attempt();
      } catch (error) {
        if (!isPassing(error)) throw error;
        await wait(delayMs, signal);
      }
    }
    return attempt();
  }

  async function requestFile(path: string, options: ReadOptions): Promise<Uint8Array> {
    const { signal, bytes, maxBytes = bytes } = options;
    const answer = await requester.open(path, { cache: cacheMode(options), signal });
    if (answer.response.status === 200) return answer.body(maxBytes);
    await answer.leave();
    throw requester.refused(path, answer.response.status, "200");
  }

  const readRange = rangeReader({ requester, packs, rangeCache, retrying, isPatient: retryDelaysMs.length > 0 });
  return joinRanges({
    name,
    requestBytes: requestCost(base, packs),
    async read(path, options = {}) {
      if (options.range) return readRange(path, options.range, options);
      return retrying(() => requestFile(path, options), options.signal);
    },
  });
}

/** A hashed file asked for anew was damaged: no cache may answer. The manifest may be revalidated. */
function cacheMode({ fresh, bytes }: ReadOptions): RequestCache {
  if (!fresh) return "default";
  return bytes === undefined ? "no-cache" : "reload";
}
