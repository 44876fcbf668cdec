/**
 * The REST interface as the module of an edge worker: `export { default } from "cairn-map/edge"`.
 * @module
 */

import { MANIFEST_PATH } from "../../../data/format/paths.ts";
import { TABLES_FOLDER } from "../../../data/format/table-facets.ts";
import { openTableFile } from "../../../data/parquet/index.ts";
import { createApi, errorResponse } from "../../api/index.ts";
import {
  type ByteSource,
  FetchError,
  openDataset,
  type ReadOptions,
  tablePlanner,
  workAtOnce,
} from "../../engine/index.ts";
import { importCategoryWords, importIntentWords } from "../category-words/index.ts";
import { createRecentBytes, httpSource, type RecentBytes } from "../http/index.ts";
import { decodeTableRows } from "./table-rows.ts";

/** Maximum bytes kept for later requests. A worker has 128 MB in total. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** Maximum bytes of decoded data of one request. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** Maximum bytes of rows of a column table. Decoded in JavaScript, they take about four times as much. */
const TABLE_BYTES = 12 * 1024 * 1024;

/** The environment variables of the worker. */
export interface EdgeEnv {
  /** The `http:` or `https:` URL of the dataset's folder. */
  readonly CAIRN_DATASET?: string;
}

/** A module worker: the form of program that Cloudflare Workers and other edge runtimes run. */
export interface EdgeWorker {
  /** Answers a request of the REST interface. Errors are responses with an error status. */
  fetch(request: Request, env: EdgeEnv): Promise<Response>;
}

/** What is kept of the last dataset only, so that a worker with many addresses stays within its memory. */
let last: Kept | undefined;

const planTable = tablePlanner(openTableFile, { decodeRows: decodeTableRows, mostBytes: TABLE_BYTES });

workAtOnce();

/** Answers REST requests from the dataset at `CAIRN_DATASET`. */
const worker: EdgeWorker = {
  async fetch(request, { CAIRN_DATASET: dataset }) {
    if (!dataset || !/^https?:\/\//.test(dataset)) {
      return errorResponse(500, [
        `CAIRN_DATASET must be the http: or https: URL of a dataset, got ${JSON.stringify(dataset ?? null)}`,
      ]);
    }
    if (last?.dataset !== dataset) last = { dataset, recent: createRecentBytes(KEPT_BYTES), manifestAtMs: 0 };
    const onFailure = (error: unknown, reference: string) => console.error(reference, error);
    return createApi({ dataset: open(last), onFailure })(request);
  },
};
export default worker;

/** Opens the dataset for one request: the runtime may end shared work with the request that started it. */
function open(kept: Kept) {
  return openDataset({
    source: keptSource(httpSource(kept.dataset, { fetch: plainFetch }), kept),
    decode: () => Promise.reject(new Error("a worker has no Parquet reader")),
    // rows never justify loading the missing reader
    decodeBytes: () => Number.POSITIVE_INFINITY,
    planTable,
    cacheBytes: CACHE_BYTES,
    categoryWords: importCategoryWords,
    intentWords: importIntentWords,
  });
}

/** `fetch` without a cache mode, which edge runtimes refuse. */
const plainFetch: typeof fetch = (input, { cache: _, ...init } = {}) => fetch(input, init);

const MANIFEST_MAX_AGE_MS = 60_000;

interface Kept {
  /** URL of the dataset. */
  readonly dataset: string;
  readonly recent: RecentBytes;
  manifestAtMs: number;
}

/**
 * Returns a source that keeps bytes for later requests. Requests share bytes, but no promise: edge runtimes cancel the work of a
 * request when its caller leaves. Does not read the primary copy, whose reader is WebAssembly.
 */
function keptSource(source: ByteSource, kept: Kept): ByteSource {
  return {
    name: source.name,
    async read(path, options = {}) {
      const { fresh, isSound, signal } = options;
      // an export reads each range once
      if (path.startsWith(`${TABLES_FOLDER}/`)) return source.read(path, options);
      if (path.endsWith(".parquet")) {
        throw new FetchError(`${path} of ${source.name} is Parquet, which an edge worker does not read`, {
          path,
          status: 501,
        });
      }
      const key = keyOf(path, options);
      const bytes = isFresh(path, options) ? undefined : kept.recent.get(key);
      if (bytes) return bytes;
      const read = await source.read(path, options).catch((error: unknown) => {
        // its release may have been replaced
        kept.manifestAtMs = 0;
        throw error;
      });
      signal?.throwIfAborted();
      // invalid bytes are requested again
      if (path === MANIFEST_PATH) kept.manifestAtMs = Date.now();
      else if (fresh || !isSound || !(await isSound(read))) return read;
      kept.recent.set(key, read);
      return read;
    },
  };

  function isFresh(path: string, { fresh }: ReadOptions): boolean {
    if (path === MANIFEST_PATH) return Date.now() - kept.manifestAtMs > MANIFEST_MAX_AGE_MS;
    return fresh === true;
  }
}

function keyOf(path: string, { range }: ReadOptions): string {
  return range ? `${path} ${range.start}-${range.end}` : path;
}
