/**
 * Rows by their numbers: where they stand among the records, and how they are read.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { isPage } from "../../../data/format/manifest.ts";
import type { Points } from "../../../data/format/points.ts";
import { addressOf, firstNumberOf, rowNumberOf } from "../../../data/format/records.ts";
import { EngineError, errorOfBoth, FetchError } from "../contract/errors.ts";
import { findPartitions, leavesOf, type PartitionRef, partitionOf } from "../index-tree/tree.ts";
import type { RowRef } from "./rows.ts";
import type { Session } from "./session.ts";

/** Points whose numbers are counted over the whole collection. */
export type NumberedPoints = Omit<Points, "sizeBytes">;

/** Where the rows of a partition are, and their numbers. */
export async function readNumberedPoints(session: Session, ref: PartitionRef<"location">): Promise<NumberedPoints> {
  const { collection, node } = ref;
  const points = await session.readPoints(ref);
  const base = firstNumberOf(session.manifest.collections[collection]?.stretches[node.country] ?? 0);
  return { ...points, number: (row) => base + points.number(row) };
}

/** All rows of a partition in its order: from the primary copy, from the records where that cannot be had. */
export async function readRowsOf(session: Session, ref: PartitionRef<"location">): Promise<RowRef[]> {
  const inOrder = Array.from({ length: ref.node.rows }, (_, row) => row);
  try {
    const rows = await session.readPartition(ref);
    return inOrder.map((row) => ({ rows, row }));
  } catch (error) {
    if (!(error instanceof FetchError) || session.signal.aborted) throw error;
    try {
      const { number } = await readNumberedPoints(session, ref);
      return await readNumbered(session, ref.collection, inOrder.map(number));
    } catch (second) {
      throw errorOfBoth(error, second);
    }
  }
}

/** The stretches of the collection with these ordinals. */
export function findStretches(
  session: Session,
  collection: CollectionName,
  ordinals: ReadonlySet<number>,
): Promise<PartitionRef<"records">[]> {
  const wanted = [...ordinals].sort((a, b) => a - b);
  return findPartitions(session, { collection, run: "records" }, (node, before) => {
    // ordinals count the run's partitions
    const end = before.partitions + (isPage(node) ? node.partitions : 1);
    return wanted.some((ordinal) => ordinal >= before.partitions && ordinal < end);
  });
}

/** The rows with these numbers, in their order. `EngineError` when the records have no such row. */
export async function readNumbered(
  session: Session,
  collection: CollectionName,
  numbers: ArrayLike<number>,
): Promise<RowRef[]> {
  const addresses = Array.from(numbers, addressOf);
  const blocks = new Map<number, Set<number>>();
  for (const { stretch, block } of addresses) {
    const mine = blocks.get(stretch) ?? new Set();
    blocks.set(stretch, mine.add(block));
  }
  const refs = await findStretches(session, collection, new Set(blocks.keys()));
  const groups = new Map(
    await Promise.all(
      refs.map(async (ref) => {
        const { stretch } = ref.node;
        return [stretch, await session.readGroups(ref, [...(blocks.get(stretch) ?? [])])] as const;
      }),
    ),
  );
  return addresses.map(({ stretch, block, place }, index) => {
    const rows = groups.get(stretch)?.get(block);
    if (!rows || place >= rows.rows) {
      throw new EngineError(`the records of ${collection} have no row ${numbers[index]}, which the index names`);
    }
    return { rows, row: place };
  });
}

/** How many blocks of the collection's records have these rows and are not in memory, as far as the known index tells. */
export function unreadBlocks(session: Session, collection: CollectionName, numbers: ArrayLike<number>): number {
  const stretches = new Map<number, PartitionRef<"records">>();
  for (const leaf of leavesOf(session, { collection, run: "records" }, () => true)) {
    const ref = partitionOf(leaf);
    if (ref) stretches.set(ref.node.stretch, ref);
  }
  const blocks = new Set<number>();
  for (let i = 0; i < numbers.length; i++) {
    const { stretch, block } = addressOf(numbers[i] ?? 0);
    const ref = stretches.get(stretch);
    if (!ref || !session.isGroupAtHand(ref, block)) blocks.add(rowNumberOf({ stretch, block, place: 0 }));
  }
  return blocks.size;
}
