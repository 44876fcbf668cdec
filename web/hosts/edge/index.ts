/**
 * The REST interface as the module of an edge worker: `export { default } from "cairn-map/edge"`.
 * @module
 */
import { createApi, errorResponse } from "../../api/index.ts";
import { openDataset, workAtOnce } from "../../engine/index.ts";
import { createRecentBytes, httpSource } from "../http/index.ts";
import { type Kept, keptSource } from "./kept-source.ts";

/** A worker has 128 MB, for all that it does at once. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** What one request decodes. */
const CACHE_BYTES = 32 * 1024 * 1024;

export interface EdgeEnv {
  /** Folder of the dataset, an `http:` or `https:` URL. */
  readonly CAIRN_DATASET?: string;
}

export interface EdgeWorker {
  fetch(request: Request, env: EdgeEnv): Promise<Response>;
}

const keptByDataset = new Map<string, Kept>();

workAtOnce();

const worker: EdgeWorker = {
  async fetch(request, { CAIRN_DATASET: dataset }) {
    if (!dataset || !/^https?:\/\//.test(dataset)) {
      return errorResponse(500, [`CAIRN_DATASET must be the URL of a dataset, got ${JSON.stringify(dataset ?? null)}`]);
    }
    const kept = keptByDataset.get(dataset) ?? { recent: createRecentBytes(KEPT_BYTES), manifestAtMs: 0 };
    keptByDataset.set(dataset, kept);
    const onFailure = (error: unknown, reference: string) => console.error(reference, error);
    return createApi({ dataset: open(dataset, kept), onFailure })(request);
  },
};
export default worker;

/** The dataset for one request: what two would share, the runtime may end with the first. */
function open(url: string, kept: Kept) {
  return openDataset({
    source: keptSource(httpSource(url, { fetch: plainFetch }), kept),
    decode: () => Promise.reject(new Error("a worker has no Parquet reader")),
    // no rows are worth a reader that cannot be had
    decodeBytes: () => Number.POSITIVE_INFINITY,
    cacheBytes: CACHE_BYTES,
  });
}

/** Without the mode of the browser's cache, which edge runtimes refuse. */
const plainFetch: typeof fetch = (input, { cache: _, ...init } = {}) => fetch(input, init);
