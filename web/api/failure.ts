/**
 * What callers are told when a search fails.
 * @module
 */
import { DecodeError, FetchError, ManifestError } from "../engine/index.ts";
import { ParameterError } from "../search/index.ts";
import { errorResponse } from "./errors.ts";

const RETRY_AFTER_SECONDS = "5";

/** 400 with every fault of the parameters; 503 that names the files when data cannot be had; else 500 with a reference and nothing of the inside. */
export function failureResponse(
  error: unknown,
  request: Request,
  onFailure: (error: unknown, reference: string) => void,
): Response {
  if (request.signal.aborted) return new Response(null, { status: 499, statusText: "Client Closed Request" });
  if (error instanceof ParameterError) return errorResponse(400, error.faults);
  const reference = crypto.randomUUID();
  onFailure(error, reference);
  if (error instanceof FetchError || error instanceof DecodeError) {
    return errorResponse(503, [`data file ${error.path} cannot be had: ${error.message}`], {
      "Retry-After": RETRY_AFTER_SECONDS,
    });
  }
  if (error instanceof ManifestError) {
    return errorResponse(503, [`the dataset cannot be read: ${error.message}`], { "Retry-After": RETRY_AFTER_SECONDS });
  }
  return errorResponse(500, [`the search failed; reference ${reference}`]);
}
