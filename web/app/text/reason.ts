import { isUnanswered } from "../../hosts/browser/protocol/index.ts";
import { text } from "./text.ts";

/** Why something failed, for the reader: that nobody answered in words of ours, whatever the browser calls it. */
export function reasonOf(error: unknown): string {
  if (isUnanswered(error)) return text("problem.unanswered");
  return error instanceof Error ? error.message : String(error);
}
