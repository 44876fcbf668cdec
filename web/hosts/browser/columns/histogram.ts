import type { Dataset, Query } from "../../../engine/index.ts";
import { runSearch, type Search } from "../../../search/index.ts";
import type { HistogramBar } from "../protocol/index.ts";

/** Maximum number of rows that are read: more would take seconds. */
const MAX_ROWS = 50_000;
const MOST_BARS = 12;
/**
 * Share of the values that the equal steps cover. Larger values are in the last bar, so that one tower does not make all others
 * one bar.
 */
const SHARE_IN_STEPS = 0.98;

interface HistogramOptions {
  readonly column: string;
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of matches. Default: 50,000. */
  readonly maxRows?: number;
}

/**
 * Returns how many matches have a value in each step of a numeric column. Matches without a number are not counted. Undefined if
 * there are more than `maxRows` matches.
 */
export async function histogramOf(
  dataset: Dataset,
  search: Search,
  { column, signal, maxRows = MAX_ROWS }: HistogramOptions,
): Promise<readonly HistogramBar[] | undefined> {
  const { order: _, ...asked } = search.query;
  const query: Query = { ...asked, offset: 0, limit: maxRows };
  const found = await runSearch(dataset, { ...search, query }, { signal });
  if (found.total > maxRows) return undefined;
  const values: number[] = [];
  for (const { properties } of found.features(new Set([column]))) {
    const value = properties[column];
    if (typeof value === "number") values.push(value);
  }
  return barsOf(Float64Array.from(values).sort());
}

/**
 * Returns bars of equal width over the values, which must be ascending. The last bar contains all larger values too. Empty
 * without values.
 */
export function barsOf(sorted: Float64Array): readonly HistogramBar[] {
  const first = sorted[0];
  if (first === undefined) return [];
  const usual = sorted[Math.floor((sorted.length - 1) * SHARE_IN_STEPS)] ?? first;
  const step = stepOver(usual - first);
  const lowest = Math.floor(first / step);
  const last = Math.max(lowest, Math.ceil(usual / step) - 1);
  const bars: HistogramBar[] = [];
  let start = 0;
  for (let index = lowest; index <= last; index++) {
    const to = index === last ? Number.POSITIVE_INFINITY : rounded((index + 1) * step);
    let end = start;
    while (end < sorted.length && (sorted[end] ?? 0) < to) end += 1;
    // a row with exactly the upper bound is in the next bar
    const most = sorted[end] === to ? sorted[end - 1] : to;
    bars.push({
      from: rounded(index * step),
      to: Number.isFinite(to) ? to : undefined,
      rows: end - start,
      most: most === Number.POSITIVE_INFINITY ? undefined : most,
    });
    start = end;
  }
  return bars;
}

/** Returns a round width, such as 2 or 50, with which at most `MOST_BARS` bars cover the range. */
function stepOver(range: number): number {
  if (range <= 0) return 1;
  const least = range / (MOST_BARS - 1);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((times) => times * power >= least) ?? 10);
}

/** Without the digits that adding steps in binary leaves. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}
