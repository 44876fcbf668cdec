/**
 * The one shape of every error: `{"statusCode", "message": [..], "error"}`.
 * @module
 */

const REASONS = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  405: "Method Not Allowed",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;

export type ErrorStatus = keyof typeof REASONS;

/** An error response. `messages` has one line for each fault. */
export function errorResponse(
  statusCode: ErrorStatus,
  messages: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify({ statusCode, message: messages, error: REASONS[statusCode] }), {
    status: statusCode,
    headers: { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers },
  });
}
