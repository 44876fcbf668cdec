/**
 * Several conditions, compared by the ids of their rows: what the rarest alone has need not be read to be tested.
 * @module
 */
import { ALL_COUNTRIES } from "../../../data/format/manifest.ts";
import { bytesOf, filesOf, rowsOf, type TermPlace, type TermRun } from "./term-index.ts";
import { type Posting, readPostingsOf } from "./term-rows.ts";

/** The postings that also stand in those of the other conditions that were read: all of them, or the rarest few. */
export interface Narrowed {
  readonly postings: readonly Posting[];
  readonly isByAll: boolean;
}

/**
 * Narrows the rarest condition's postings by those of others, as many as spare more bytes than they take. `wantedRows` are
 * those whose columns are wanted once all conditions are known to hold.
 */
export async function narrowPostings(
  run: TermRun,
  postings: readonly Posting[],
  placeOthers: () => Promise<readonly (readonly TermPlace[])[]>,
  wantedRows: number,
): Promise<Narrowed> {
  const lightRows = postings.filter(({ lightCountry }) => lightCountry !== undefined).length;
  if (lightRows === 0) return { postings, isByAll: false };
  const others = await placeOthers();
  const costs = others.map((places) => ({
    rows: rowsOf(places),
    bytes: bytesOf(filesOf(run, places).filter((ref) => !run.session.isAtHand(ref))),
  }));
  const taken = others.slice(0, chooseConditions(lightRows, wantedRows, costs, idRunOf(run)));
  const lists = await Promise.all(taken.map((places) => readPostingsOf(run, places)));
  const kept = lists.reduce(intersect, postings);
  return { postings: kept, isByAll: taken.length === others.length };
}

/** What reading a condition's postings takes, as the index tells. */
export interface ConditionCost {
  /** At most so many have it. */
  readonly rows: number;
  readonly bytes: number;
}

/** The part of the id run that has the columns. */
export interface IdRunPart {
  readonly rows: number;
  readonly partitions: number;
  readonly bytes: number;
}

/**
 * How many of the other conditions to read, of those in order, so that the fewest bytes are to be expected in all. Taken
 * as independent of each other; once all are known, no more than the wanted rows are read.
 */
export function chooseConditions(
  lightRows: number,
  wantedRows: number,
  others: readonly ConditionCost[],
  idRun: IdRunPart,
): number {
  let [best, bestBytes] = [0, others.length === 0 ? 0 : spreadBytes(lightRows, idRun)];
  let [rows, ownBytes] = [lightRows, 0];
  for (const [index, other] of others.entries()) {
    rows *= Math.min(1, other.rows / idRun.rows);
    ownBytes += other.bytes;
    const isLast = index === others.length - 1;
    const bytes = ownBytes + spreadBytes(isLast ? Math.min(rows, wantedRows) : rows, idRun);
    if (bytes < bestBytes) [best, bestBytes] = [index + 1, bytes];
  }
  return best;
}

/** Bytes of the partitions that so many rows, anywhere in the id run, are to be expected in. */
function spreadBytes(rows: number, { partitions, bytes }: IdRunPart): number {
  return bytes * (1 - (1 - 1 / Math.max(1, partitions)) ** rows);
}

/** The country's share of the id run. */
function idRunOf({ session, collection, country }: TermRun): IdRunPart {
  const entry = session.manifest.collections[collection];
  if (!entry) return { rows: 0, partitions: 0, bytes: 0 };
  const { partitions, bytes } = entry.runs.id;
  const rows = country === ALL_COUNTRIES ? entry.rows : (entry.countries[country] ?? 0);
  const share = rows / Math.max(1, entry.rows);
  return { rows, partitions: partitions * share, bytes: bytes * share };
}

/** The postings whose ids stand in both lists; of each the one that has its columns. */
function intersect(some: readonly Posting[], others: readonly Posting[]): readonly Posting[] {
  const byId = new Map(others.map((posting) => [posting.id, posting]));
  return some.flatMap((posting) => {
    const other = byId.get(posting.id);
    if (!other) return [];
    return posting.lightCountry === undefined ? [posting] : [other];
  });
}
