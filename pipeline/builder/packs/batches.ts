/** Groups consecutive items into batches of at most `most` weight. A heavier item is a batch of its own. */
export function batchesOf<Item>(items: Iterable<Item>, most: number, weigh: (item: Item) => number): Item[][] {
  const batches: Item[][] = [];
  let weight = 0;
  for (const item of items) {
    const mine = weigh(item);
    const batch = batches.at(-1);
    if (batch && weight + mine <= most) {
      batch.push(item);
      weight += mine;
    } else {
      batches.push([item]);
      weight = mine;
    }
  }
  return batches;
}
