/**
 * Reads rows by the addresses of their records.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import { bytesEqual } from "../../../data/format/bytes.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { partsIn } from "../../../data/format/geometry-parts.ts";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import type { Points } from "../../../data/format/points.ts";
import { CHUNK_BLOCKS, recordPositionOf } from "../../../data/format/records.ts";
import { EngineError, errorOfBoth, FetchError, ManifestError } from "../contract/errors.ts";
import { isPageRef, leavesOf, mayHoldCountry, type PartitionRef, partitionOf, unopened } from "../index-tree/tree.ts";
import { joinNeighbours } from "./join-ranges.ts";
import { readWhole, type StoredGeometries } from "./long-geometries.ts";
import { findByOrdinal, readGroups, type WantedBlocks, want } from "./record-groups.ts";
import type { RecordRows } from "./record-rows.ts";
import type { RowRef } from "./rows.ts";
import type { Session } from "./session.ts";

/** A record to read. */
export interface RecordRef {
  /** Where the record is: chunk, block and row in one number. */
  readonly address: number;
  /**
   * Number of blocks of the record's group, if known: with the parts of a long geometry if the session reads geometries,
   * otherwise without. Otherwise the first block says it.
   */
  readonly blocks?: number;
  /** The row's stored geometry, if known. The record must have the same bytes. */
  readonly geometry?: Uint8Array;
}

/** The points of a partition. Row numbers and addresses count over the whole collection. */
export interface PartitionPoints extends Pick<Points, "rows" | "boxes" | "longRows">, StoredGeometries {
  number(row: number): number;
  record(row: number): Required<RecordRef>;
}

/** Returns the locations, numbers and addresses of the rows of a partition. */
export async function readPartitionPoints(session: Session, ref: PartitionRef<"location">): Promise<PartitionPoints> {
  const { collection, node } = ref;
  const { rows, geometry, boxes, longRows, number, address, blocks } = await session.readPoints(ref);
  const base = firstNumberOf(session.manifest.collections[collection]?.segments[node.country] ?? 0);
  const ownBlocks = (row: number): number => blocks(row) - partsIn(geometry(row));
  return {
    rows,
    geometry,
    boxes,
    longRows,
    number: (row) => base + number(row),
    record: (row) => ({
      address: address(row, node.record),
      blocks: session.hasGeometry ? blocks(row) : ownBlocks(row),
      geometry: geometry(row),
    }),
    firstPart: (row) => {
      const { chunk, block } = recordPositionOf(address(row, node.record));
      return { chunk, block: block + ownBlocks(row) };
    },
  };
}

/** Returns the box of a row in degrees. */
export function boxAt({ boxes }: Pick<Points, "boxes">, row: number): BBox {
  const [west = 0, south = 0, east = 0, north = 0] = boxes.subarray(4 * row, 4 * row + 4);
  return [west, south, east, north];
}

/** Returns all rows of a partition in order, from the primary copy. If it cannot be read, from the records. */
export async function readRowsOf(session: Session, ref: PartitionRef<"location">): Promise<RowRef[]> {
  const inOrder = Array.from({ length: ref.node.rows }, (_, row) => row);
  try {
    const rows = await session.readPartition(ref);
    return inOrder.map((row) => ({ rows, row }));
  } catch (error) {
    if (!(error instanceof FetchError) || session.signal.aborted) throw error;
    try {
      const { record } = await readPartitionPoints(session, ref);
      return await readAddressed(session, ref.collection, inOrder.map(record));
    } catch (second) {
      throw errorOfBoth(error, second);
    }
  }
}

/**
 * Reads the index pages above the chunks of these partitions' records. A caller does this while it reads the points, which saves
 * a round trip. Ignores an `EngineError`: reading the records throws it again.
 */
export async function prefetchPages(session: Session, refs: readonly PartitionRef<"location">[]): Promise<void> {
  const chunks = new Map<CollectionName, Set<number>>();
  for (const { collection, node } of refs) {
    const own = chunks.get(collection) ?? new Set();
    chunks.set(collection, own.add(recordPositionOf(node.record).chunk));
  }
  await Promise.all(
    Array.from(chunks, ([collection, own]) =>
      unlessBroken(findByOrdinal(session, { collection, run: "records" }, own)),
    ),
  );
}

/** Reads what searches need before the records of these partitions: the index pages above them, and the dictionary. */
export async function prefetchRecords(session: Session, refs: readonly PartitionRef<"location">[]): Promise<void> {
  const collections = new Set(refs.map(({ collection }) => collection));
  await Promise.all([
    prefetchPages(session, refs),
    ...Array.from(collections, (collection) => unlessBroken(session.readDictionary(collection))),
  ]);
}

/** Reads the index page above the records of each of these countries that has only one such page. Ignores an `EngineError`. */
export async function prefetchChunks(
  session: Session,
  collection: CollectionName,
  countries: ReadonlySet<string>,
): Promise<void> {
  const own = unopened(session);
  const pages = Array.from(countries, (country) =>
    leavesOf(own, { collection, run: "records" }, (node) => mayHoldCountry(node, country)).filter(isPageRef),
  );
  await unlessBroken(session.readPages(pages.flatMap((above) => (above.length === 1 ? above : []))));
}

/** Reads the records of a few rows into memory. Ignores an `EngineError`. */
export async function prefetchRows(
  session: Session,
  collection: CollectionName,
  records: readonly RecordRef[],
): Promise<void> {
  await unlessBroken(readAddressed(session, collection, records));
}

/**
 * Waits for work that is done in advance. Ignores an `EngineError`, because later work throws it again. Rejects with other
 * errors.
 */
export async function unlessBroken(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error;
  });
}

/**
 * Returns the rows of these records, in the order of `records`. Blocks with a gap of at most `gapBytes` are one range; default:
 * as much as a request costs. Throws `ManifestError` if there is no such record, or if its geometry is not the given one.
 */
export async function readAddressed(
  session: Session,
  collection: CollectionName,
  records: readonly RecordRef[],
  gapBytes?: number,
): Promise<RowRef[]> {
  const positions = records.map(({ address }) => recordPositionOf(address));
  const wanted: WantedBlocks = new Map();
  for (const [index, { chunk, block }] of positions.entries()) {
    const { geometry, blocks = 1 } = records[index] ?? {};
    const parts = geometry && session.hasGeometry ? partsIn(geometry) : 0;
    want(wanted, { chunk, block }, blocks - parts);
    for (let part = 0; part < parts; part++) want(wanted, { chunk, block: block + blocks - parts + part });
  }
  const groups = await readGroups(session, collection, wanted, gapBytes);
  const rows = positions.map(({ chunk, block, row }, index) => {
    const own = groups.get(chunk)?.get(block);
    if (!own || row >= own.rows) {
      throw new ManifestError(
        `the records of ${collection} have no row at ${records[index]?.address}, which the index names`,
      );
    }
    const { geometry } = records[index] ?? {};
    if (geometry && !bytesEqual(geometry, own.geometry(row))) {
      throw new ManifestError(
        `the record of ${collection} at ${records[index]?.address} has another geometry than the points`,
      );
    }
    return own;
  });
  const whole = session.hasGeometry ? await readWhole(session, collection, { positions, rows, groups }) : rows;
  return positions.map(({ row }, index) => ({ rows: whole[index] as RecordRows, row }));
}

/** Returns the bytes that reading these records costs, requests included. Groups in memory cost nothing. */
export function recordCost(session: Session, collection: CollectionName, records: readonly RecordRef[]): number {
  const chunks = new Map<number, PartitionRef<"records">>();
  for (const leaf of leavesOf(session, { collection, run: "records" }, () => true)) {
    const ref = partitionOf(leaf);
    if (ref) chunks.set(ref.node.chunk, ref);
  }
  const unread = new Map<number, number>();
  for (const { address, blocks = 1 } of records) {
    const { chunk, block } = recordPositionOf(address);
    const ref = chunks.get(chunk);
    if (!ref || !session.isBlockCached(ref, block)) unread.set(chunk * CHUNK_BLOCKS + block, blocks);
  }
  const ranges = Array.from(unread, ([block, blocks]) => {
    return { start: block * BLOCK_BYTES, end: (block + blocks) * BLOCK_BYTES };
  });
  const { requestBytes } = session.costs();
  return joinNeighbours(ranges, requestBytes).reduce((sum, { start, end }) => sum + end - start + requestBytes, 0);
}
