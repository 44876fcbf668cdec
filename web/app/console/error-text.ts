/** DuckDB's errors as text: some come as JSON. @module */

interface JsonError {
  readonly exception_type?: unknown;
  readonly exception_message?: unknown;
}

/** The error as DuckDB's own shell prints it. */
export function errorText(message: string): string {
  const told = parsed(message);
  if (typeof told?.exception_message !== "string") return message;
  const kind = typeof told.exception_type === "string" ? `${told.exception_type} Error: ` : "";
  return `${kind}${told.exception_message}`;
}

function parsed(message: string): JsonError | undefined {
  if (!message.startsWith("{")) return undefined;
  try {
    return JSON.parse(message) as JsonError;
  } catch {
    return undefined;
  }
}
