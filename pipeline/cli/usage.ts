/** A command that was given wrongly: the process ends with 2, where a failure of the work ends it with 1. */
export class UsageError extends Error {}

/** Runs a parser of a value; its error is wrong usage. */
export function asUsage<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
