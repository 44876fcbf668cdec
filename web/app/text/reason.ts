import { isUnanswered } from "../../hosts/browser/protocol/index.ts";
import { text } from "./text.ts";

/**
 * Returns the reason of a failure for the user. An unanswered request has our own text, because browsers' texts
 * differ.
 */
export function reasonOf(error: unknown): string {
  if (isUnanswered(error)) return text("problem.unanswered");
  return error instanceof Error ? error.message : String(error);
}
