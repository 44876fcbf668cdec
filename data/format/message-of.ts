/** Returns the message of an error. Returns the text of another value that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the first line of the message. Programs such as DuckDB append details in further lines. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split("\n")[0] ?? "";
}
