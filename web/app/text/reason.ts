import { isUnanswered } from "../../hosts/browser/protocol/index.ts";
import { text } from "./text.ts";

/**
 * Returns why something failed, for the user. A request without an answer has a text of this page, because those of browsers
 * differ.
 */
export function reasonOf(error: unknown): string {
  if (isUnanswered(error)) return text("problem.unanswered");
  return error instanceof Error ? error.message : String(error);
}
