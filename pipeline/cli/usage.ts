import { messageOf } from "../../data/format/message-of.ts";

/** Wrong usage of a command: exit code 2. Other failures have exit code 1. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Runs a parser. Its errors count as wrong usage. */
export function asUsage<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}
