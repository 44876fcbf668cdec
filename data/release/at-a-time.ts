/** Works on so many at a time; after a failure nothing more is begun. Results stand in the order of the items. */
export async function atATime<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  const waiting = items.entries();
  let hasFailed = false;
  const workOn = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (hasFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, workOn));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return results;
}
