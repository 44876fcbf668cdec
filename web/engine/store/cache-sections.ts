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
import type { Cache, CacheSection } from "./cache.ts";
import type { Partition } from "./partition.ts";
import type { RecordRows } from "./record-rows.ts";
import { termIndexBytes } from "./row-terms.ts";

/** Runs that are read by blocks. */
export type BlockRun = "records" | "ids";

/** Returns the key of a block in the cache: the SHA-256 of its slice, and its number there. */
export function blockKey({ node }: PartitionRef<BlockRun>, block: number): string {
  return `${node.sha256} ${block}`;
}

export interface CacheSections {
  readonly pages: CacheSection<IndexPage>;
  readonly partitions: CacheSection<Partition>;
  readonly points: CacheSection<Points>;
  readonly postings: CacheSection<Postings>;
  readonly cells: CacheSection<CellCounts>;
  readonly tables: CacheSection<{ readonly table: Table; readonly sizeBytes: number }>;
  readonly directories: CacheSection<SegmentDirectory>;
  /** Keys: the SHA-256 of the segment and the number of the block. */
  readonly idBlocks: CacheSection<IdBlock>;
  /** Keys: the SHA-256 of the chunk and the number of the first block. */
  readonly groups: CacheSection<RecordRows>;
  readonly dictionaries: CacheSection<Uint8Array>;
}

/** A block of a directory takes up about so much: an id. */
const DIRECTORY_BLOCK_BYTES = 100;

/** Creates a section of the cache for each kind of data. All share its limit. */
export function createCacheSections(cache: Cache): CacheSections {
  const sized = <V extends { readonly sizeBytes: number }>(): CacheSection<V> =>
    cache.section<V>(({ sizeBytes }) => sizeBytes);
  return {
    pages: sized(),
    partitions: cache.section((partition) => partition.sizeBytes + termIndexBytes(partition)),
    points: sized(),
    postings: sized(),
    cells: sized(),
    tables: sized(),
    directories: cache.section(({ ids }) => ids.length * DIRECTORY_BLOCK_BYTES),
    idBlocks: cache.section(() => BLOCK_BYTES),
    groups: cache.section((group) => group.sizeBytes + termIndexBytes(group)),
    dictionaries: cache.section((bytes) => bytes.length),
  };
}
