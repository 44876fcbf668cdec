import { QueryError } from "../../../engine/index.ts";

/** The error in DuckDB's own words. Those of its parser come as JSON from some calls, with the line twice from others. */
export function queryError(cause: unknown, sql: string): QueryError {
  return new QueryError(withoutRepeat(wordsOf(cause instanceof Error ? cause.message : String(cause))), { sql, cause });
}

function wordsOf(message: string): string {
  if (!message.startsWith("{")) return message;
  try {
    const { exception_type: kind, exception_message: words } = JSON.parse(message) as Readonly<Record<string, unknown>>;
    return typeof kind === "string" && typeof words === "string" ? `${kind} Error: ${words}` : message;
  } catch {
    return message;
  }
}

function withoutRepeat(message: string): string {
  const parts = message.split("\n\n");
  return parts.filter((part, index) => index === 0 || part.trimEnd() !== parts[index - 1]?.trimEnd()).join("\n\n");
}
