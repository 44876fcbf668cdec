import { createHash } from "node:crypto";

export interface Weighed {
  readonly weight: number;
  /** Says which item it is, from release to release. */
  readonly key: string;
}

/** Share of the most a part may weigh, from which on it may end. */
const LEAST_SHARE = 0.7;

/**
 * Cuts items into parts of neighbours that weigh at most `most` together, or of one item. Of the places where a part may
 * end it takes the one whose item has the least hash: after a change the cuts soon are the same again. Half-open ranges.
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
