/**
 * Searches a large circle with filters in two parts: the run `count_cell` counts the matches, and a smaller circle has the rows of
 * the page. Both together read less than the points of all rows in the circle.
 * @module
 */
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import { countCells, createTally, planCount, regionsOf } from "../cells/count-cells.ts";
import { EngineError } from "../contract/errors.ts";
import type { Query } from "../contract/query.ts";
import type { Region } from "../plan/region.ts";
import type { Progress } from "../plan/step.ts";
import type { Session } from "../store/session.ts";
import { orderConditions, searchable } from "../terms/conditions.ts";
import { rowsOf } from "../terms/term-index.ts";
import { pointsCost, runsOf } from "./matcher.ts";
import { type LocationResult, nextStep, searchNearest } from "./search-location.ts";

/**
 * Points that cost less than these requests are read. Of a million places, a circle of 3 km costs less by its points, one of 10 km
 * costs 1,118 KB in 89 requests with a count and 1,611 KB in 149 without.
 */
const LEAST_REQUESTS = 128;

/** A page with a larger share of the matches reads many points anyway. */
const MOST_SHARE = 0.05;

/** How much more area than needed the first circle has. A second circle costs a round trip. */
const SPARE_AREA = 1.5;

const NOTHING_READ: Progress = { isRead: () => false, matched: 0, distanceAt: () => Number.POSITIVE_INFINITY };

/**
 * Returns the page and the number of matches. Undefined if reading all points costs less, or if `count_cell` lacks a value that a
 * filter tests.
 */
export async function searchCounted(
  session: Session,
  asked: Query,
  region: Region,
): Promise<LocationResult | undefined> {
  const { circle, filters, offset, limit } = asked;
  if (!circle || !filters || circle.radiusMeters === Number.POSITIVE_INFINITY) return undefined;
  const query = { ...asked, circle, collections: searchable(session.manifest, asked) };
  const isSmallPart = (rows: number): boolean => offset >= rows || limit === 0 || offset + limit <= MOST_SHARE * rows;
  const most = await mostMatches(session, query, region);
  if (most === undefined || !isSmallPart(most)) return undefined;
  const total = await countOf(session, query);
  if (total === undefined || !isSmallPart(total)) return undefined;
  if (limit === 0 || offset >= total) return { total, rows: [], partitionsCounted: 0, rowsScanned: 0 };
  const wanted = offset + limit;
  const radiusMeters = circle.radiusMeters * Math.sqrt((SPARE_AREA * wanted) / total);
  return { ...(await searchNearest(session, { ...query, nearest: wanted }, radiusMeters)), total };
}

/** Returns an upper bound of the number of matches. Undefined if the points, or the rows with the terms, cost little. */
async function mostMatches(session: Session, query: Query, region: Region): Promise<number | undefined> {
  const { filters = {} } = query;
  const leastBytes = LEAST_REQUESTS * session.costs().requestBytes;
  const step = await nextStep(session, query, region, NOTHING_READ);
  if (step.kind !== "read-points" || pointsCost(session, step.partitions) < leastBytes) return undefined;
  const all = step.partitions.reduce((sum, { node }) => sum + node.rows, 0);
  const runs = filters.terms?.length ? runsOf(session, step.partitions, filters) : undefined;
  if (!runs) return all;
  const rows = await Promise.all(
    runs.map(async (run) => rowsOf((await orderConditions(run, filters.terms ?? [])).rarest)),
  );
  const withTerms = rows.reduce((sum, each) => sum + each, 0);
  return withTerms * BLOCK_BYTES < leastBytes ? undefined : Math.min(all, withTerms);
}

/** Counts the matches by cells; undefined if the run lacks a value, or its files cannot be read: the points have all rows. */
async function countOf(session: Session, query: Query): Promise<number | undefined> {
  const plans = query.collections.map((collection) => ({ collection, plan: planCount(session, collection, query) }));
  if (plans.some(({ plan }) => !plan || plan.needsRows)) return undefined;
  const tally = createTally(undefined);
  try {
    const regions = await regionsOf(session, query);
    for (const { collection, plan } of plans)
      if (plan) await countCells(session, { collection, country: query.country, regions, plan, tally });
  } catch (error) {
    if (!(error instanceof EngineError) || session.signal.aborted) throw error;
    return undefined;
  }
  return tally.result().total;
}
