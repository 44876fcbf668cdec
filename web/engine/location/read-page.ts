/**
 * Reads the rows of a page of a search by location from the records and the primary copy.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import type { LocationNode } from "../../../data/format/manifest.ts";
import { EngineError, errorOfBoth } from "../contract/errors.ts";
import { firstRowOf, wholeOf } from "../index-tree/sections.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import { type RecordRef, readAddressed, recordCost } from "../store/addressed-rows.ts";
import { sortRows } from "../store/row-order.ts";
import type { RowRef } from "../store/rows.ts";
import type { Session } from "../store/session.ts";
import { sliceCost, sliceReadCost } from "../store/slice-cost.ts";
import type { MeasuredPartition } from "./reading.ts";

/** A row, and the partition or section that contains it. */
export interface LocatedRow {
  readonly from: Pick<MeasuredPartition, "ref" | "number" | "record" | "geometry" | "firstPart">;
  readonly row: number;
  readonly distanceMeters: number;
}

export interface LocatedPage {
  /** Rows in the order of distance. Rows of equal distance are in no order. */
  readonly rows: readonly LocatedRow[];
  /** Rank of the first of `rows`. */
  readonly first: number;
  /** Ranks of the page, half-open. */
  readonly start: number;
  readonly end: number;
  /** Collections in order. Of rows with equal distance and id, that of the earlier collection is first. */
  readonly collections: readonly CollectionName[];
}

/** Returns the rows of the page, by distance, then id, then collection. */
export async function readPage(session: Session, page: LocatedPage): Promise<RowRef[]> {
  const ties = tiesOf(page.rows);
  const wanted: LocatedRow[] = [];
  /** Ranks in `wanted` of ties, which are sorted by id. */
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
function tiesOf(rows: readonly LocatedRow[]): LocatedRow[][] {
  const ties: LocatedRow[][] = [];
  for (const row of rows) {
    const tie = ties.at(-1);
    if (tie?.[0]?.distanceMeters === row.distanceMeters) tie.push(row);
    else ties.push([row]);
  }
  return ties;
}

/** Whether the rows are of one country of one collection. Then their numbers are in order of id. */
function isOfOne(tie: readonly LocatedRow[]): boolean {
  const [first] = tie;
  return tie.every(({ from: { ref } }) => {
    return ref.collection === first?.from.ref.collection && ref.node.country === first?.from.ref.node.country;
  });
}

function numberOf({ from, row }: LocatedRow): number {
  return from.number(row);
}

/**
 * Reads the rows, in the order of `wanted`. `cheapest` takes each row from the copy that costs fewer bytes. `records` reads only
 * records, without bytes between them. If a copy cannot be read, takes the other copy.
 */
export async function readRows(
  session: Session,
  wanted: readonly LocatedRow[],
  from: "cheapest" | "records" = "cheapest",
): Promise<RowRef[]> {
  const slices = from === "cheapest" ? slicesToRead(session, wanted) : new Set<LocationNode>();
  const read: RowRef[] = new Array(wanted.length);

  async function readSome(isOfSlice: boolean, ways: readonly [ReadCopy, ReadCopy]): Promise<void> {
    const ordinals = [...wanted.keys()].filter(
      (ordinal) => slices.has(partitionOf(wanted[ordinal] as LocatedRow).node) === isOfSlice,
    );
    if (ordinals.length === 0) return;
    const own = ordinals.map((ordinal) => wanted[ordinal] as LocatedRow);
    const rows = await readEither(session, own, ways);
    for (const [index, ordinal] of ordinals.entries()) read[ordinal] = rows[index] as RowRef;
  }

  await Promise.all([
    readSome(false, [(...asked) => readFromRecords(...asked, from === "records" ? 0 : undefined), readFromPartitions]),
    readSome(true, [readFromPartitions, readFromRecords]),
  ]);
  return read;
}

type ReadCopy = (session: Session, wanted: readonly LocatedRow[]) => Promise<RowRef[]>;

async function readEither(
  session: Session,
  wanted: readonly LocatedRow[],
  [read, other]: readonly [ReadCopy, ReadCopy],
): Promise<RowRef[]> {
  try {
    return await read(session, wanted);
  } catch (error) {
    if (!(error instanceof EngineError) || session.signal.aborted) throw error;
    return other(session, wanted).catch((second: unknown) => {
      throw errorOfBoth(error, second);
    });
  }
}

/**
 * The partitions whose rows cost less from their slices of the primary copy than from the records. Compares three plans: all rows from
 * the records, all from slices, and the cheaper copy for each partition.
 */
function slicesToRead(session: Session, wanted: readonly LocatedRow[]): ReadonlySet<LocationNode> {
  const byPartition = new Map<LocationNode, { readonly ref: PartitionRef<"location">; readonly rows: LocatedRow[] }>();
  for (const row of wanted) {
    const ref = partitionOf(row);
    const own = byPartition.get(ref.node);
    if (own) own.rows.push(row);
    else byPartition.set(ref.node, { ref, rows: [row] });
  }
  const cheaper = Array.from(byPartition).flatMap(([node, { ref, rows }]) => {
    return sliceReadCost(session, [ref]) < costOfRecords(session, rows) ? [node] : [];
  });
  const plans = [new Set<LocationNode>(), new Set(cheaper), new Set(byPartition.keys())].map((slices) => {
    const others = wanted.filter((row) => !slices.has(partitionOf(row).node));
    const refs = [...slices].flatMap((node) => byPartition.get(node)?.ref ?? []);
    return { slices, cost: sliceCost(session, refs) + costOfRecords(session, others) };
  });
  return plans.reduce((best, plan) => (plan.cost < best.cost ? plan : best)).slices;
}

function costOfRecords(session: Session, wanted: readonly LocatedRow[]): number {
  let cost = 0;
  for (const [collection, rows] of byCollection(wanted)) {
    cost += recordCost(session, collection, rows.map(recordOf));
  }
  return cost;
}

async function readFromRecords(session: Session, wanted: readonly LocatedRow[], gapBytes?: number): Promise<RowRef[]> {
  const read: RowRef[] = new Array(wanted.length);
  await Promise.all(
    Array.from(byCollection(wanted), async ([collection, rows]) => {
      const refs = await readAddressed(session, collection, rows.map(recordOf), gapBytes);
      for (const [index, { ordinal, located }] of rows.entries()) {
        const ref = refs[index];
        if (ref) read[ordinal] = { ...ref, distanceMeters: located.distanceMeters };
      }
    }),
  );
  return read;
}

async function readFromPartitions(session: Session, wanted: readonly LocatedRow[]): Promise<RowRef[]> {
  return Promise.all(
    wanted.map(async (located) => ({
      rows: await session.readPartition(partitionOf(located)),
      row: firstRowOf(located.from.ref.node) + located.row,
      distanceMeters: located.distanceMeters,
    })),
  );
}

function partitionOf({ from }: LocatedRow): PartitionRef<"location"> {
  return wholeOf(from.ref);
}

interface WantedRow {
  /** Index among the wanted rows. */
  readonly ordinal: number;
  readonly located: LocatedRow;
}

function recordOf({ located: { from, row } }: WantedRow): RecordRef {
  return from.record(row);
}

function byCollection(wanted: readonly LocatedRow[]) {
  const groups = new Map<CollectionName, WantedRow[]>();
  for (const [ordinal, located] of wanted.entries()) {
    const { collection } = located.from.ref;
    const mine = groups.get(collection) ?? [];
    groups.set(collection, mine);
    mine.push({ ordinal, located });
  }
  return groups;
}
