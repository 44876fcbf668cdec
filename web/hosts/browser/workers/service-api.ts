/** The REST interface in the service worker: answers requests below the folder of the page. @module */
import { type Api, createApi, errorResponse } from "../../../api/index.ts";
import { answerPage } from "../storage/index.ts";
import { compose } from "./compose.ts";

const MANIFEST_MAX_AGE_MS = 60_000;

export interface ServiceOptions {
  readonly base: URL;
  readonly dataset: URL;
}

/** Returns the REST interface. The engine starts with the first request. */
export function createServiceApi({ base, dataset }: ServiceOptions): Api {
  let api: Api | undefined;
  return async (request) => {
    try {
      api ??= createApi({
        dataset: compose({ base, manifestMaxAgeMs: MANIFEST_MAX_AGE_MS, dataset, fetchFile: answerPage }).dataset,
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
