/**
 * Work that is done side by side.
 * @module
 */

/** The results, when all have ended. Rejects with the first failure in their order, and no sooner: nothing goes on behind it. */
export async function allEnded<T>(work: Iterable<Promise<T>>): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}
