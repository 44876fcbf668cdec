/**
 * What a dataset keeps in memory, by kind.
 * @module
 */
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import type { CellCounts } from "../../../data/format/cell-counts.ts";
import type { IdBlock, SegmentDirectory } from "../../../data/format/id-order.ts";
import type { Points } from "../../../data/format/points.ts";
import type { Postings } from "../../../data/format/postings.ts";
import type { Table } from "../../../data/format/tables.ts";
import type { IndexPage } from "../index-tree/files.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import type { Cache, Shelf } from "./cache.ts";
import type { Partition } from "./partition.ts";
import type { RecordRows } from "./record-rows.ts";
import { termIndexBytes } from "./row-terms.ts";

/** Runs that are read by blocks. */
export type BlockRun = "records" | "ids";

/** The key of a block. */
export function blockKey({ node }: PartitionRef<BlockRun>, block: number): string {
  return `${node.sha256} ${block}`;
}

export interface Shelves {
  readonly pages: Shelf<IndexPage>;
  readonly partitions: Shelf<Partition>;
  readonly points: Shelf<Points>;
  readonly postings: Shelf<Postings>;
  readonly cells: Shelf<CellCounts>;
  readonly tables: Shelf<{ readonly table: Table; readonly sizeBytes: number }>;
  readonly directories: Shelf<SegmentDirectory>;
  /** By the hash of the segment and the number of the block. */
  readonly idBlocks: Shelf<IdBlock>;
  /** By the hash of the chunk and the number of the block. */
  readonly groups: Shelf<RecordRows>;
  readonly dictionaries: Shelf<Uint8Array>;
}

/** A block of a directory takes up about so much: an id. */
const DIRECTORY_BLOCK_BYTES = 100;

export function createShelves(cache: Cache): Shelves {
  const sized = <V extends { readonly sizeBytes: number }>(): Shelf<V> => cache.shelf<V>(({ sizeBytes }) => sizeBytes);
  return {
    pages: sized(),
    partitions: cache.shelf((partition) => partition.sizeBytes + termIndexBytes(partition)),
    points: sized(),
    postings: sized(),
    cells: sized(),
    tables: sized(),
    directories: cache.shelf(({ ids }) => ids.length * DIRECTORY_BLOCK_BYTES),
    idBlocks: cache.shelf(() => BLOCK_BYTES),
    groups: cache.shelf((group) => group.sizeBytes + termIndexBytes(group)),
    dictionaries: cache.shelf((bytes) => bytes.length),
  };
}
