/**
 * The rows of a page of a search by place, read from the records or from the primary copy.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { BLOCK_BYTES } from "../../../data/format/records.ts";
import { EngineError, errorOfBoth } from "../contract/errors.ts";
import { readNumbered, unreadBlocks } from "../store/numbered-rows.ts";
import { sortRows } from "../store/row-order.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import type { MeasuredPartition } from "./reading.ts";

/** A row by the partition that it was measured in. */
export interface PlacedRow {
  readonly from: Pick<MeasuredPartition, "ref" | "number">;
  readonly row: number;
  readonly distanceMeters: number;
}

export interface PlacedPage {
  /** By distance; ties in no order. */
  readonly placed: readonly PlacedRow[];
  /** Rank of the first of them. */
  readonly first: number;
  /** Ranks of the page, half-open. */
  readonly start: number;
  readonly end: number;
  /** Of equal distances and ids the row of the earlier collection comes first. */
  readonly collections: readonly CollectionName[];
}

/** The rows of the page in order. */
export async function readPage(session: Session, page: PlacedPage): Promise<RowRef[]> {
  const ties = tiesOf(page.placed);
  const wanted: PlacedRow[] = [];
  /** Ranks in `wanted` of ties, which ids decide. */
  const open: { readonly start: number; readonly end: number }[] = [];
  let skipped = 0;
  let rank = page.first;
  for (const tie of ties) {
    const [from, to] = [Math.max(0, page.start - rank), Math.min(tie.length, page.end - rank)];
    rank += tie.length;
    if (from >= to) continue;
    if (isOfOne(tie)) {
      wanted.push(...tie.toSorted((a, b) => numberOf(a) - numberOf(b)).slice(from, to));
      continue;
    }
    if (wanted.length === 0) skipped = from;
    open.push({ start: wanted.length, end: wanted.length + tie.length });
    wanted.push(...tie);
  }
  const rows = await readRows(session, wanted);
  for (const { start, end } of open) {
    rows.splice(start, end - start, ...sortRows(rows.slice(start, end), page.collections));
  }
  return rows.slice(skipped, skipped + page.end - page.start);
}

/** Rows of equal distance. */
function tiesOf(placed: readonly PlacedRow[]): PlacedRow[][] {
  const ties: PlacedRow[][] = [];
  for (const row of placed) {
    const tie = ties.at(-1);
    if (tie?.[0]?.distanceMeters === row.distanceMeters) tie.push(row);
    else ties.push([row]);
  }
  return ties;
}

/** Whether the rows are of one country of one collection: then their numbers are in the order of their ids. */
function isOfOne(tie: readonly PlacedRow[]): boolean {
  const [first] = tie;
  return tie.every(({ from: { ref } }) => {
    return ref.collection === first?.from.ref.collection && ref.node.country === first?.from.ref.node.country;
  });
}

function numberOf({ from, row }: PlacedRow): number {
  return from.number(row);
}

/** Reads the rows from the copy where they take fewer bytes, or from the records; falls back to the other copy. */
export async function readRows(
  session: Session,
  wanted: readonly PlacedRow[],
  from: "cheapest" | "records" = "cheapest",
): Promise<RowRef[]> {
  const ways = [readFromRecords, readFromPartitions];
  if (from === "cheapest" && (await takeFewerBytes(session, wanted))) ways.reverse();
  const [read, other] = ways;
  try {
    return (await read?.(session, wanted)) ?? [];
  } catch (error) {
    if (!(error instanceof EngineError) || session.signal.aborted || !other) throw error;
    return other(session, wanted).catch((second: unknown) => {
      throw errorOfBoth(error, second);
    });
  }
}

/** Whether the rows' partitions take fewer bytes than their records. */
async function takeFewerBytes(session: Session, wanted: readonly PlacedRow[]): Promise<boolean> {
  const partitions = new Set(wanted.map(({ from }) => from));
  const { requestBytes, decodeBytes } = session.costs();
  let partitionBytes = 0;
  for (const { ref } of partitions) {
    if (!session.isAtHand(ref.node)) partitionBytes += ref.node.bytes + requestBytes;
  }
  if (partitionBytes > 0) partitionBytes += decodeBytes;
  return partitionBytes < (await recordBytes(session, wanted));
}

/** About the bytes that the rows take among the records. */
async function recordBytes(session: Session, wanted: readonly PlacedRow[]): Promise<number> {
  let blocks = 0;
  for (const [collection, rows] of byCollection(wanted)) {
    blocks += unreadBlocks(
      session,
      collection,
      rows.map(({ placed }) => numberOf(placed)),
    );
  }
  return blocks * (BLOCK_BYTES + session.costs().requestBytes);
}

async function readFromRecords(session: Session, wanted: readonly PlacedRow[]): Promise<RowRef[]> {
  const read: RowRef[] = new Array(wanted.length);
  await Promise.all(
    Array.from(byCollection(wanted), async ([collection, rows]) => {
      const refs = await readNumbered(
        session,
        collection,
        rows.map(({ placed }) => numberOf(placed)),
      );
      for (const [index, { place, placed }] of rows.entries()) {
        const ref = refs[index];
        if (ref) read[place] = { ...ref, distanceMeters: placed.distanceMeters };
      }
    }),
  );
  return read;
}

async function readFromPartitions(session: Session, wanted: readonly PlacedRow[]): Promise<RowRef[]> {
  return Promise.all(
    wanted.map(async ({ from: { ref }, row, distanceMeters }) => ({
      rows: await session.readPartition(ref),
      row,
      distanceMeters,
    })),
  );
}

function byCollection(wanted: readonly PlacedRow[]) {
  const groups = new Map<CollectionName, { readonly place: number; readonly placed: PlacedRow }[]>();
  for (const [place, placed] of wanted.entries()) {
    const { collection } = placed.from.ref;
    const mine = groups.get(collection) ?? [];
    groups.set(collection, mine);
    mine.push({ place, placed });
  }
  return groups;
}
