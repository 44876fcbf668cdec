import { PACK_BYTES } from "../../../data/format/manifest.ts";
import type { ByteSource, ReadOptions } from "../../engine/index.ts";
import { joinRanges } from "./join-ranges.ts";
import { createPackMemory, type PackMemory } from "./pack-memory.ts";
import { rangeReader } from "./read-range.ts";
import { createRequester, isPassing, wait } from "./request.ts";

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

/** Over HTTP/1.1 six go at a time: a sixth of 50 ms at 20 Mbit/s. */
const SIXTH_OF_A_ROUND_TRIP_BYTES = 20 * 1024;
/** Over HTTP/2 and 3 they go together, and their headers are told once. */
const HEADERS_BYTES = 1024;

export function requestCost(base: string, packs: PackMemory): () => number {
  let isOneByOne: boolean | undefined;
  return () => {
    if (packs.answers === "whole") return PACK_BYTES;
    isOneByOne ??= isHttp1(base);
    return isOneByOne ? SIXTH_OF_A_ROUND_TRIP_BYTES : HEADERS_BYTES;
  };
}

/** Undefined where nothing was asked yet, or the browser does not tell: of other origins, and in Node. */
function isHttp1(base: string): boolean | undefined {
  const entries = performance.getEntriesByType("resource") as readonly {
    readonly name: string;
    readonly nextHopProtocol?: string;
  }[];
  const protocol = entries.findLast(
    ({ name, nextHopProtocol }) => name.startsWith(base) && nextHopProtocol,
  )?.nextHopProtocol;
  return protocol === undefined ? undefined : protocol.startsWith("http/1");
}
