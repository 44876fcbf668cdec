/**
 * The positions that rows can have in an order, from the key ranges of their groups.
 * @module
 */
import { firstIndex } from "../../../data/format/sorted.ts";

/** Rows with keys between two keys, both inclusive. */
export interface Span<K> {
  readonly first: K;
  readonly last: K;
  readonly rows: number;
}

/** The ranks that rows of a span can have among the rows of all spans, from 0, `end` exclusive. */
export interface RankRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the range of ranks of each span, in the order of `spans`. It starts after all rows that surely come before the span,
 * and ends after all rows that may come before the span's last row.
 */
export function rankRanges<K>(spans: readonly Span<K>[], compare: (a: K, b: K) => number): RankRange[] {
  const byLast = cumulate(spans.toSorted((a, b) => compare(a.last, b.last)));
  const byFirst = cumulate(spans.toSorted((a, b) => compare(a.first, b.first)));
  return spans.map((span) => ({
    start: rowsWhile(byLast, (other) => compare(other.last, span.first) < 0),
    end: rowsWhile(byFirst, (other) => compare(other.first, span.last) <= 0),
  }));
}

interface Cumulated<K> {
  readonly span: Span<K>;
  /** Rows of this span and of those before it. */
  readonly rows: number;
}

function cumulate<K>(spans: readonly Span<K>[]): Cumulated<K>[] {
  let rows = 0;
  return spans.map((span) => {
    rows += span.rows;
    return { span, rows };
  });
}

/** Rows of the leading spans for which the test holds; it must not hold again after the first for which it fails. */
function rowsWhile<K>(spans: readonly Cumulated<K>[], test: (span: Span<K>) => boolean): number {
  const end = firstIndex(spans.length, (index) => {
    const entry = spans[index];
    return entry === undefined || !test(entry.span);
  });
  return spans[end - 1]?.rows ?? 0;
}

/** Returns how many of the numbers are less than the bound. They must be ascending. */
export function countBelow(sorted: Float64Array, bound: number): number {
  return firstIndex(sorted.length, (index) => (sorted[index] as number) >= bound);
}
