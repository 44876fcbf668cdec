/**
 * Lists for answers that may be incomplete.
 * @module
 */
import { FetchError } from "../contract/errors.ts";
import type { Session } from "../store/session.ts";

export interface MayBeIncomplete {
  /** Allows an incomplete answer, and is called for one. */
  readonly onMissing?: (() => void) | undefined;
}

/** Returns the list; empty if the answer may be incomplete and a file cannot be read. */
export async function ifAvailable<T>(
  session: Session,
  { onMissing }: MayBeIncomplete,
  found: Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await found;
  } catch (error) {
    if (!onMissing || !(error instanceof FetchError) || session.signal.aborted) throw error;
    onMissing();
    return [];
  }
}
