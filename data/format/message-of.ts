/** Returns the message of a caught error. If the caught value is not an `Error`, returns that value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the first line of `messageOf`. Programs such as DuckDB append details in further lines. */
export function firstLineOf(error: unknown): string {
  return messageOf(error).split("\n")[0] ?? "";
}
