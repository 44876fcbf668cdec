/**
 * Tests the rows of a region against the filters of a query. It uses posting lists or the columns of the primary copy. If few
 * rows have the terms, it reads them without the region's points. It chooses what costs least.
 * @module
 */
import { EngineError, errorOfBoth, FetchError, TooManyRowsError } from "../contract/errors.ts";
import type { Filters, Query } from "../contract/query.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import type { Region } from "../plan/region.ts";
import { readAddressed, readRowsOf, recordCost } from "../store/addressed-rows.ts";
import { numberedCost, readNumbered } from "../store/numbered-rows.ts";
import { sortRows } from "../store/row-order.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import { sliceCost } from "../store/slice-cost.ts";
import { eachInTurn } from "../tasks/in-turn.ts";
import { type CandidateRows, canAskTerms, candidateRows, orderConditions } from "../terms/conditions.ts";
import { boundTestedRows, testRows } from "../terms/filter.ts";
import { firstFrom, unreadBytes } from "../terms/posting-lists.ts";
import { bytesOf, type TermRun } from "../terms/term-index.ts";
import type { MeasuredPartition, PartitionMatcher } from "./reading.ts";

/** Up to this many bytes of partitions, posting lists are not worth a round trip. */
const FEW_BYTES = 96 * 1024;

/** Posting lists are read if they take at most this share of the partitions' bytes. */
const MOST_SHARE = 0.75;

/** How rows are tested: by a test of each partition, or all rows that match, with their distances. */
export type Matcher =
  | ({ readonly kind: "test" } & PartitionMatcher)
  /** All rows that match, in order, with their distances. */
  | { readonly kind: "rows"; readonly rows: readonly RowRef[] };

/** Chooses how to test the rows of these partitions, which must be all that the region may intersect. */
export async function matcherOf(
  session: Session,
  query: Query,
  region: Region,
  partitions: readonly PartitionRef<"location">[],
): Promise<Matcher> {
  const { filters = {} } = query;
  const testOf = testByColumns(session, filters);
  try {
    return (await matcherByTerms(session, query, region, partitions)) ?? { kind: "test", testOf };
  } catch (error) {
    if (error instanceof TooManyRowsError) throw error;
    // The columns have the same values as the lists.
    if (!(error instanceof EngineError) || session.signal.aborted) throw error;
    return {
      kind: "test",
      testOf: (...asked) =>
        testOf(...asked).catch((second: unknown) => {
          throw errorOfBoth(error, second);
        }),
    };
  }
}

/** A test by posting lists; undefined if the columns take fewer bytes. */
async function matcherByTerms(
  session: Session,
  query: Query,
  region: Region,
  own: readonly PartitionRef<"location">[],
): Promise<Matcher | undefined> {
  const { filters = {} } = query;
  const unread = own.filter(({ node }) => !session.isCached(node)).map(({ node }) => node);
  const runs = runsOf(session, own, filters);
  if (bytesOf(unread) <= FEW_BYTES || !runs) return undefined;
  const termBytes = await Promise.all(
    runs.map(async (run) => {
      const { rarest } = await orderConditions(run, filters.terms ?? []);
      return unreadBytes(run, rarest);
    }),
  );
  const allTermBytes = termBytes.reduce((sum, bytes) => sum + bytes, 0);
  if (allTermBytes > bytesOf(unread) * MOST_SHARE) return undefined;

  const candidates = await Promise.all(runs.map(async (run) => ({ run, rows: await candidateRows(run, filters) })));
  const rows = candidates.reduce((sum, { rows: { numbers } }) => sum + numbers.length, 0);
  const rowsCost = candidates.reduce((sum, each) => sum + numberedCost(session, each.run, each.rows.numbers), 0);
  if (rowsCost <= pointsCost(session, own)) {
    boundTestedRows(query, rows);
    return { kind: "rows", rows: await measuredRows(session, candidates, query, region) };
  }
  const areExact = candidates.every(({ rows: { areExact } }) => areExact);
  return {
    kind: "test",
    testOf: async ({ collection, node }, { number }) => {
      const mine = candidates.find(({ run }) => run.collection === collection && run.country === node.country);
      const numbers = mine?.rows.numbers ?? new Float64Array();
      return (row) => {
        const wanted = number(row);
        return numbers[firstFrom(numbers, 0, wanted)] === wanted;
      };
    },
    ...(areExact ? {} : { settle: (lists) => settleByColumns(session, filters, lists) }),
  };
}

/** Returns the bytes that reading the unread points of the partitions costs, requests included. */
export function pointsCost(session: Session, partitions: readonly PartitionRef<"location">[]): number {
  const unread = partitions.map(({ node }) => node.points).filter((slice) => !session.isCached(slice));
  return bytesOf(unread) + unread.length * session.costs().requestBytes;
}

/** Returns the term runs that have all rows of the partitions that can match; undefined if a country has no such run. */
export function runsOf(
  session: Session,
  partitions: readonly PartitionRef<"location">[],
  filters: Filters,
): TermRun[] | undefined {
  const runs = new Map<string, TermRun>();
  for (const { collection, node } of partitions) {
    const { country } = node;
    if (!canAskTerms(session.manifest, collection, country, filters)) return undefined;
    runs.set(`${collection} ${country}`, { session, collection, run: "term", country });
  }
  return [...runs.values()];
}

/** Tests rows by their columns. */
function testByColumns(session: Session, filters: Filters): PartitionMatcher["testOf"] {
  return async (ref) => {
    const refs = await readRowsOf(session, ref);
    const isMatch = await testRows(refs, filters);
    return (row) => {
      const found = refs[row];
      return found !== undefined && isMatch(found);
    };
  };
}

/** Tests measured rows by their columns. */
async function settleByColumns(session: Session, filters: Filters, lists: readonly MeasuredPartition[]): Promise<void> {
  await Promise.all(
    lists.map(async (list) => {
      const { distances } = list;
      const near: number[] = [];
      for (const [row, meters] of distances.entries()) if (meters !== Number.POSITIVE_INFINITY) near.push(row);
      const refs = await readNear(session, list, near);
      const isMatch = await testRows([...refs.values()], filters);
      for (const row of near) {
        const found = refs.get(row);
        if (!found || !isMatch(found)) distances[row] = Number.POSITIVE_INFINITY;
      }
    }),
  );
}

/** These rows of a partition, from the copy that costs less. */
async function readNear(
  session: Session,
  { ref, record }: MeasuredPartition,
  near: readonly number[],
): Promise<ReadonlyMap<number, RowRef>> {
  if (near.length === 0) return new Map();
  const readAll = async () => new Map((await readRowsOf(session, ref)).entries());
  const records = near.map(record);
  if (sliceCost(session, [ref]) < recordCost(session, ref.collection, records)) return readAll();
  try {
    const found = await readAddressed(session, ref.collection, records);
    return new Map(found.map((row, index) => [near[index] ?? 0, row]));
  } catch (error) {
    // The primary copy has the same rows.
    if (!(error instanceof FetchError) || session.signal.aborted) throw error;
    return readAll().catch((second: unknown) => {
      throw errorOfBoth(error, second);
    });
  }
}

/** Reads, tests and measures all rows with the terms. They are few. */
async function measuredRows(
  session: Session,
  candidates: readonly { readonly run: TermRun; readonly rows: CandidateRows }[],
  { filters = {}, collections }: Query,
  region: Region,
): Promise<readonly RowRef[]> {
  const found = await Promise.all(
    candidates.map(async ({ run, rows: { numbers, areExact } }) => {
      const refs = await readNumbered(session, run.collection, numbers);
      const isMatch = areExact ? () => true : await testRows(refs, filters);
      return refs.filter(isMatch);
    }),
  );
  const near: RowRef[] = [];
  await eachInTurn(found.flat(), ({ rows, row }) => {
    const distanceMeters = region.metersOf(rows.geometry(row));
    if (distanceMeters < Number.POSITIVE_INFINITY) near.push({ rows, row, distanceMeters });
  });
  return sortRows(near, collections);
}
