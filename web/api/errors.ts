/**
 * The standard format of every error, `{"statusCode", "message": [..], "error"}`, and the messages for failed
 * searches.
 * @module
 */
import { SignatureError } from "../../data/format/signature.ts";
import { DecodeError, FetchError, ManifestError, ReleaseError } from "../engine/index.ts";
import { ParameterError, TooLargeError } from "../search/index.ts";
import { codeOf, ERROR_HEADER, type ErrorCode, type ErrorStatus } from "./error-codes.ts";

const REASONS = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const satisfies Readonly<Record<ErrorStatus, string>>;

/** Returns the body, the reason phrase and the headers of an error. `messages` has one line for each fault. */
export function errorContent(
  statusCode: ErrorStatus,
  messages: readonly string[],
): { readonly body: string; readonly reason: string; readonly headers: Readonly<Record<string, string>> } {
  const reason = REASONS[statusCode];
  return {
    body: JSON.stringify({ statusCode, message: messages, error: reason }),
    reason,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      [ERROR_HEADER]: codeOf(statusCode),
    },
  };
}

/** Returns an error response. `messages` has one line for each fault. */
export function errorResponse(
  statusCode: ErrorStatus,
  messages: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { body, headers: own } = errorContent(statusCode, messages);
  return new Response(body, { status: statusCode, headers: { ...own, ...headers } });
}

const RETRY_AFTER_SECONDS = "5";
/** Headers of a 503 of a host that has too much to do. */
export const BUSY: Readonly<Record<string, string>> = {
  "Retry-After": "1",
  [ERROR_HEADER]: "CAIRN_E_BUSY" satisfies ErrorCode,
};

/** The host has too much to do. The same request may succeed later. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/**
 * Returns 400 with every fault of the parameters, 409 for a release that is not available, 413 for an area that takes too long.
 * Returns 499 if the caller left, and 503 if the host is busy, or files cannot be read or are refused. Any other error is 500
 * with a reference, without details. Calls `onFailure` for 500, and for 503 unless the host is busy.
 */
export function failureResponse(
  error: unknown,
  request: Request,
  onFailure: (error: unknown, reference: string) => void,
): Response {
  if (request.signal.aborted) return new Response(null, { status: 499, statusText: "Client Closed Request" });
  if (error instanceof ParameterError) return errorResponse(error instanceof TooLargeError ? 413 : 400, error.faults);
  if (error instanceof BusyError) return errorResponse(503, [error.message], BUSY);
  if (error instanceof ReleaseError) return errorResponse(409, [error.message]);
  const reference = crypto.randomUUID();
  onFailure(error, reference);
  if (error instanceof FetchError || error instanceof DecodeError) {
    return errorResponse(503, [`data file ${error.path} cannot be read: ${error.message}`], {
      "Retry-After": RETRY_AFTER_SECONDS,
    });
  }
  if (error instanceof SignatureError) {
    return errorResponse(503, [`the dataset is refused: ${error.message}`], { [ERROR_HEADER]: error.code });
  }
  if (error instanceof ManifestError) {
    return errorResponse(503, [`the dataset cannot be read: ${error.message}`], { "Retry-After": RETRY_AFTER_SECONDS });
  }
  return errorResponse(500, [`the search failed; reference ${reference}`]);
}
