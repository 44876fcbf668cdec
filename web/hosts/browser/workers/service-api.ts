/** The REST interface in the service worker: answers requests below the folder of the page. @module */
import { type Api, createApi, errorResponse } from "../../../api/index.ts";
import { openPin } from "../pin/index.ts";
import { answerPage } from "../storage/index.ts";
import { compose } from "./compose.ts";
import { planTable } from "./plan-table.ts";

const MANIFEST_MAX_AGE_MS = 60_000;

interface ServiceOptions {
  readonly base: URL;
  readonly dataset: URL;
  /** Public keys. One of them must have signed the dataset. */
  readonly key?: string | undefined;
}

/**
 * Returns the REST interface of the service worker. The engine starts with the first request. If it cannot start, answers have
 * status 503.
 */
export function createServiceApi({ base, dataset, key }: ServiceOptions): Api {
  let api: Api | undefined;
  return async (request) => {
    try {
      const pins = key === undefined ? undefined : openPin(dataset, key);
      const pin = pins && (async () => pins);
      api ??= createApi({
        dataset: compose({
          ...{ base, dataset, pin, fetchFile: answerPage },
          manifestMaxAgeMs: MANIFEST_MAX_AGE_MS,
          planTable,
        }).dataset,
        basePath: base.pathname,
        onFailure: (error, reference) => console.error(reference, error),
      });
      return await api(request);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return errorResponse(503, [`the engine cannot start: ${message}`], { "Retry-After": "5" });
    }
  };
}
