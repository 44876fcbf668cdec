/**
 * Work that leaves nothing behind when it fails.
 * @module
 */

/**
 * Does the work with a signal of its own, aborted by the caller's and when the work fails: what it asked for besides is
 * then left alone, and the next to ask for the same does not wait for an answer to an old question.
 */
export async function withOwnSignal<T>(
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  caller?.throwIfAborted();
  const controller = new AbortController();
  const leave = () => controller.abort(caller?.reason);
  caller?.addEventListener("abort", leave, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    controller.abort();
    throw error;
  } finally {
    caller?.removeEventListener("abort", leave);
  }
}
