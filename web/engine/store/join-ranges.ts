/**
 * Joins ranges of one file whose gap costs less than a request.
 * @module
 */
import type { ByteRange } from "../contract/ports.ts";

/**
 * The cost of a request, as bytes that are transferred in the same time: 8 ms at 20 Mbit/s. A host whose requests cost more or less
 * reports that by `requestBytes`. Measured in docs/decisions/30-cost-of-a-request.md.
 */
export const REQUEST_BYTES = 20 * 1024;

/** Maximum length of joined ranges: several requests in parallel are faster than one long one. */
export const MAX_JOINED_BYTES = 1024 * 1024;

export interface JoinedRange<R extends ByteRange> extends ByteRange {
  readonly parts: readonly R[];
}

/**
 * Returns the ranges in byte order, joined where the gap is at most `gapBytes` and the result at most
 * `MAX_JOINED_BYTES`.
 */
export function joinNeighbours<R extends ByteRange>(ranges: readonly R[], gapBytes = REQUEST_BYTES): JoinedRange<R>[] {
  const joined: { readonly start: number; end: number; readonly parts: R[] }[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    const end = Math.max(last?.end ?? 0, range.end);
    if (last && range.start - last.end <= gapBytes && end - last.start <= MAX_JOINED_BYTES) {
      last.end = end;
      last.parts.push(range);
    } else joined.push({ start: range.start, end: range.end, parts: [range] });
  }
  return joined;
}
