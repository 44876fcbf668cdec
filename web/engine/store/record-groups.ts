/**
 * Groups of records by chunk and first block.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { isPage } from "../../../data/format/manifest.ts";
import type { RecordPosition } from "../../../data/format/records.ts";
import { ManifestError } from "../contract/errors.ts";
import { findPartitions, type PartitionRef, type RunRef } from "../index-tree/tree.ts";
import type { RecordRows } from "./record-rows.ts";
import type { Session } from "./session.ts";

/** Returns the partitions of a run at these positions, counted from 0 over the whole run. */
export function findByOrdinal<R extends "records" | "ids">(
  session: Session,
  run: RunRef<R>,
  ordinals: ReadonlySet<number>,
): Promise<PartitionRef<R>[]> {
  const wanted = [...ordinals].sort((a, b) => a - b);
  return findPartitions(session, run, (node, before) => {
    const end = before.partitions + (isPage(node) ? node.partitions : 1);
    return wanted.some((ordinal) => ordinal >= before.partitions && ordinal < end);
  });
}

/** Groups of records to read: the number of blocks of each by its first block, by chunk. */
export type WantedBlocks = Map<number, Map<number, number>>;
export type ReadGroups = ReadonlyMap<number, ReadonlyMap<number, RecordRows>>;

/** Adds a group of `blocks` blocks, which starts at `block` of `chunk`, to the wanted ones. */
export function want(wanted: WantedBlocks, { chunk, block }: Omit<RecordPosition, "row">, blocks = 1): void {
  const own = wanted.get(chunk) ?? new Map<number, number>();
  wanted.set(chunk, own.set(block, blocks));
}

/** Reads groups of records. Returns them by chunk and first block. */
export async function readGroups(
  session: Session,
  collection: CollectionName,
  wanted: WantedBlocks,
  gapBytes?: number,
): Promise<ReadGroups> {
  const refs = await findByOrdinal(session, { collection, run: "records" }, new Set(wanted.keys()));
  return new Map(
    await Promise.all(
      refs.map(async (ref) => {
        const own = wanted.get(ref.node.chunk) ?? new Map<number, number>();
        const blocksOf = (block: number) => own.get(block) ?? 1;
        return [ref.node.chunk, await session.readGroups(ref, [...own.keys()], { blocksOf, gapBytes })] as const;
      }),
    ),
  );
}

/**
 * Returns the part of a long geometry that the group contains. Throws `ManifestError` if there is no group, or if it has several
 * rows.
 */
export function partIn(collection: CollectionName, group: RecordRows | undefined): Uint8Array {
  if (group?.rows !== 1)
    throw new ManifestError(`the records of ${collection} have no part of a geometry, which the index names`);
  return group.geometry(0);
}
