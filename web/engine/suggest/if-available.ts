/**
 * Lists for answers that may be incomplete.
 * @module
 */
import { FetchError } from "../contract/errors.ts";
import type { Session } from "../store/session.ts";

export interface MayBeIncomplete {
  /** Called when a file cannot be read. If it is given, the answer may be incomplete. */
  readonly onMissing?: (() => void) | undefined;
}

/**
 * Returns the list. If a file cannot be read and `onMissing` is given, calls it and returns an empty list; otherwise throws
 * `FetchError`.
 */
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
