import { PACK_BYTES } from "../../../data/format/manifest.ts";
import { type ByteSource, REQUEST_BYTES, type ReadOptions } from "../../engine/index.ts";
import { joinRanges } from "./join-ranges.ts";
import { createPackMemory, type PackMemory } from "./pack-memory.ts";
import { rangeReader } from "./read-range.ts";
import { createRequester, isPassing, wait } from "./request.ts";

/** Delays before the second and third try, in milliseconds. A person waits for the answer. */
const RETRY_DELAYS_MS = [100, 400];

/** Time without a byte after which a host counts as silent, in milliseconds. Slow networks pause for seconds. */
const STALL_MS = 15_000;

export interface HttpSourceOptions {
  readonly name?: string;
  readonly fetch?: typeof fetch;
  readonly retryDelaysMs?: readonly number[];
  readonly stallMs?: number;
  /**
   * Cache mode of range requests. Use `no-store` if another cache stores ranges: the browser's cache reads ranges of one file one
   * after the other.
   */
  readonly rangeCache?: RequestCache;
  readonly packs?: PackMemory;
  /** Called with the number of bytes of a body as they arrive. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * Returns the files below the URL, whole or in ranges. Ranges that are requested together and lie close become one request.
 * Retries network failures and temporary statuses. Rejects with `FetchError` for any other status, a silent host, and a redirect
 * to another origin.
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
    requestBytes: () => (packs.answers === "whole" ? PACK_BYTES : REQUEST_BYTES),
    async read(path, options = {}) {
      if (options.range) return readRange(path, options.range, options);
      return retrying(() => requestFile(path, options), options.signal);
    },
  });
}

/**
 * Returns the cache mode. A hashed file that is requested again was damaged, so no cache may answer; the manifest may be
 * revalidated.
 */
function cacheMode({ fresh, bytes }: ReadOptions): RequestCache {
  if (!fresh) return "default";
  return bytes === undefined ? "no-cache" : "reload";
}
