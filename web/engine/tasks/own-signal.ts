/**
 * Work whose pending requests are cancelled when it fails.
 * @module
 */

/**
 * Runs the work with a signal of its own, which is aborted with the caller's and when the work fails: its other requests are
 * cancelled then, and a later caller does not join one of them.
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
