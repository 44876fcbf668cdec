/**
 * The one shape of every error: `{"statusCode", "message": [..], "error"}`.
 * @module
 */

const REASONS = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  413: "Content Too Large",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

export type ErrorStatus = keyof typeof REASONS;

/** The body of an error, and what is said of it. */
export function errorContent(
  statusCode: ErrorStatus,
  messages: readonly string[],
): { readonly body: string; readonly reason: string; readonly headers: Readonly<Record<string, string>> } {
  const reason = REASONS[statusCode];
  return {
    body: JSON.stringify({ statusCode, message: messages, error: reason }),
    reason,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" },
  };
}

/** An error response. `messages` has one line for each fault. */
export function errorResponse(
  statusCode: ErrorStatus,
  messages: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { body, headers: own } = errorContent(statusCode, messages);
  return new Response(body, { status: statusCode, headers: { ...own, ...headers } });
}
