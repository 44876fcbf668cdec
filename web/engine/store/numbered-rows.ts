/**
 * Reads rows by their numbers from the records.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { isPage } from "../../../data/format/manifest.ts";
import type { Points } from "../../../data/format/points.ts";
import { addressOf, BLOCK_BYTES, firstNumberOf, STRETCH_BLOCKS } from "../../../data/format/records.ts";
import { errorOfBoth, FetchError, ManifestError } from "../contract/errors.ts";
import { findPartitions, leavesOf, type PartitionRef, partitionOf } from "../index-tree/tree.ts";
import { joinNeighbours } from "./join-ranges.ts";
import type { RowRef } from "./rows.ts";
import type { Session } from "./session.ts";

/** Points with row numbers of the whole collection. */
export type NumberedPoints = Omit<Points, "sizeBytes">;

/** The locations and numbers of the rows of a partition. */
export async function readNumberedPoints(session: Session, ref: PartitionRef<"location">): Promise<NumberedPoints> {
  const { collection, node } = ref;
  const points = await session.readPoints(ref);
  const base = firstNumberOf(session.manifest.collections[collection]?.stretches[node.country] ?? 0);
  return { ...points, number: (row) => base + points.number(row) };
}

/** All rows of a partition in its order, from the primary copy. If that cannot be read, from the records. */
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
    // An ordinal is the number of partitions before the stretch.
    const end = before.partitions + (isPage(node) ? node.partitions : 1);
    return wanted.some((ordinal) => ordinal >= before.partitions && ordinal < end);
  });
}

/**
 * The rows with these numbers, in their order. Blocks with a gap of at most `gapBytes` are one range; as much as a request costs when
 * left out. `ManifestError` when the records have no such row.
 */
export async function readNumbered(
  session: Session,
  collection: CollectionName,
  numbers: ArrayLike<number>,
  gapBytes?: number,
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
        return [stretch, await session.readGroups(ref, [...(blocks.get(stretch) ?? [])], { gapBytes })] as const;
      }),
    ),
  );
  return addresses.map(({ stretch, block, place }, index) => {
    const rows = groups.get(stretch)?.get(block);
    if (!rows || place >= rows.rows) {
      throw new ManifestError(`the records of ${collection} have no row ${numbers[index]}, which the index names`);
    }
    return { rows, row: place };
  });
}

/** The bytes that reading these rows from the records costs, requests included. Groups in memory cost nothing. */
export function recordCost(session: Session, collection: CollectionName, numbers: ArrayLike<number>): number {
  const stretches = new Map<number, PartitionRef<"records">>();
  for (const leaf of leavesOf(session, { collection, run: "records" }, () => true)) {
    const ref = partitionOf(leaf);
    if (ref) stretches.set(ref.node.stretch, ref);
  }
  const unread = new Set<number>();
  for (let i = 0; i < numbers.length; i++) {
    const { stretch, block } = addressOf(numbers[i] ?? 0);
    const ref = stretches.get(stretch);
    if (!ref || !session.isGroupAtHand(ref, block)) unread.add(stretch * STRETCH_BLOCKS + block);
  }
  const blocks = Array.from(unread, (block) => ({ start: block * BLOCK_BYTES, end: (block + 1) * BLOCK_BYTES }));
  const { requestBytes } = session.costs();
  const ranges = joinNeighbours(blocks, requestBytes);
  return ranges.reduce((sum, { start, end }) => sum + end - start + requestBytes, 0);
}
