/**
 * Searches by terms in a circle. The partitions of the circle have the answer, and so has the term run: what many
 * partitions would tell of a rare word, it tells in one or two. Whichever is smaller is read.
 * @module
 */
import { FOLD_VERSION } from "../../../data/format/fold.ts";
import type { Circle, Query } from "../contract/query.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import type { Candidates, RowRef } from "../order/executor.ts";
import { measureRows, reachOf } from "../order/measure.ts";
import { orderDistances } from "../order/scan.ts";
import { type Region, regionOf } from "../plan/region.ts";
import type { Partition } from "../store/partition.ts";
import type { Session } from "../store/session.ts";
import { inTurn } from "../tasks/in-turn.ts";
import { matchRows } from "./filter.ts";
import { orderConditions } from "./order-conditions.ts";
import { isStored, isToldByTerms, searchable } from "./search-terms.ts";
import { bytesOf, filesOf, type TermRun } from "./term-index.ts";
import { type Posting, readPostingsOf, resolvePostings } from "./term-rows.ts";

/** The index of terms costs a round trip: not worth it for fewer partitions, which come at once. */
const FEW_PARTITIONS = 4;

/** The term run is read when it takes this share of the bytes of the circle's partitions at most. */
const MOST_SHARE = 0.5;

/** What the columns of a light row may cost: a partition of the id run. */
const LIGHT_ROW_BYTES = 256 * 1024;

/** What the term run tells: the matching rows, or how many there are and the circle that holds those of the page. */
export type NearTerms =
  | { readonly kind: "rows"; readonly candidates: readonly Candidates[] }
  | { readonly kind: "counted"; readonly total: number; readonly pageCircle: Circle };

/** What the term run tells; undefined when the partitions, all that the circle reaches, are the better way to the rows. */
export async function searchTermsNear(
  session: Session,
  query: Query,
  partitions: readonly PartitionRef[],
): Promise<NearTerms | undefined> {
  const { filters } = query;
  const region = regionOf(query);
  const clauses = filters?.terms?.filter(isStored) ?? [];
  if (!region || !filters || clauses.length === 0 || session.manifest.fold_version !== FOLD_VERSION) return undefined;
  const unread = partitions.filter((ref) => !session.isAtHand(ref));
  if (unread.length <= FEW_PARTITIONS) return undefined;
  const runs = runsOf(session, query, partitions);
  if (!runs) return undefined;

  const found = await Promise.all(
    runs.map(async (run) => {
      const { rarest } = await orderConditions(run, clauses);
      return { run, places: rarest };
    }),
  );
  const files = found.flatMap(({ run, places }) => filesOf(run, places));
  const spareBytes = bytesOf(unread) * MOST_SHARE - bytesOf(files.filter((ref) => !session.isAtHand(ref)));
  if (spareBytes < 0) return undefined;

  const isNear = reachOf(region);
  const near = await Promise.all(
    found.map(async ({ run, places }) => {
      const all = await readPostingsOf(run, places);
      return { run, postings: all.filter(({ partition, row }) => isNear(partition, row)) };
    }),
  );
  const postings = near.flatMap((each) => each.postings);
  const light = postings.filter(({ lightCountry }) => lightCountry !== undefined);
  if (light.length * LIGHT_ROW_BYTES > spareBytes) {
    const canCount = filters.terms?.length === 1 && isToldByTerms(filters) && postings.every(isPoint);
    return canCount ? countPoints(postings, query, region) : undefined;
  }

  const rows = await Promise.all(near.map(({ run, postings: mine }) => resolvePostings(run, mine)));
  const candidates: Candidates[] = [];
  for (const [partition, isPosted] of flagsOf(rows.flat())) {
    const matches = await inTurn(() => matchRows(partition, filters).map((flag, row) => flag & (isPosted[row] ?? 0)));
    candidates.push({ partition, distances: await inTurn(() => measureRows(partition, region, matches)) });
  }
  return { kind: "rows", candidates };
}

/** The box of a point says where it is: no other column is needed to count it. */
function isPoint({ partition: { boxes }, row }: Posting): boolean {
  return boxes.west[row] === boxes.east[row] && boxes.south[row] === boxes.north[row];
}

function countPoints(postings: readonly Posting[], { offset, limit }: Query, region: Region): NearTerms {
  const distances = orderDistances(
    Array.from(flagsOf(postings), ([partition, flags]) => measureRows(partition, region, flags)),
  );
  const total = distances.length;
  const { lon, lat } = region.origin;
  const radiusMeters = offset >= total ? 0 : (distances[Math.min(offset + limit, total) - 1] ?? 0);
  return { kind: "counted", total, pageCircle: { lon, lat, radiusMeters } };
}

/** A flag for each row of a partition: 1 for those given. */
function flagsOf(rows: readonly RowRef[]): Map<Partition, Uint8Array> {
  const flags = new Map<Partition, Uint8Array>();
  for (const { partition, row } of rows) {
    const mine = flags.get(partition) ?? new Uint8Array(partition.rows);
    mine[row] = 1;
    flags.set(partition, mine);
  }
  return flags;
}

/** The term runs that have all rows of the partitions that can match; undefined when one is not there. */
function runsOf(session: Session, query: Query, partitions: readonly PartitionRef[]): TermRun[] | undefined {
  const runs = new Map<string, TermRun>();
  const collections = new Set(searchable(query));
  for (const { collection, node } of partitions) {
    if (!collections.has(collection)) continue;
    if (!session.manifest.collections[collection]?.runs.term) return undefined;
    const { country } = node;
    runs.set(`${collection} ${country}`, { session, collection, run: "term", country });
  }
  return [...runs.values()];
}
