import { createHash } from "node:crypto";

/** An item of a list to cut. `weight` is its size. */
export interface Weighed {
  readonly weight: number;
  /** Identifies the item in each release. */
  readonly key: string;
}

/** A part may end when it has this share of the maximum weight. */
const LEAST_SHARE = 0.7;

/**
 * Cuts a list into consecutive parts of at most `most` weight, or of one item. Returns their indices, `end` exclusive.
 * A part of at least 70 % of `most` ends before the item with the lowest hash of its key, so that after a change in the
 * list the cuts soon are the same again.
 */
export function cutByHash(items: readonly Weighed[], most: number): { readonly start: number; readonly end: number }[] {
  const parts: { start: number; end: number }[] = [];
  for (let start = 0; start < items.length; ) {
    const end = endOfPart(items, start, most);
    parts.push({ start, end });
    start = end;
  }
  return parts;
}

function endOfPart(items: readonly Weighed[], start: number, most: number): number {
  let [end, weight] = [start + 1, items[start]?.weight ?? 0];
  let best: { readonly end: number; readonly hash: string } | undefined;
  for (; end < items.length; end++) {
    if (weight >= most * LEAST_SHARE) {
      const hash = hashOf(items[end]?.key ?? "");
      if (!best || hash < best.hash) best = { end, hash };
    }
    weight += items[end]?.weight ?? 0;
    if (weight > most) return best?.end ?? end;
  }
  return items.length;
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** Groups consecutive items into batches of at most `most` weight. A heavier item has its own batch. */
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
