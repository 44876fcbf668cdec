import { messageOf } from "../../data/format/message-of.ts";

/** Error for wrong usage of a command: the exit code is 2. Other errors have exit code 1. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Returns the result of `parse`. Throws its errors as UsageError. */
export function asUsage<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(messageOf(error), { cause: error });
  }
}
