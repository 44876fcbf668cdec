/**
 * Reads rows by the addresses of their records.
 * @module
 */
import type { BBox } from "../../../data/format/bbox.ts";
import { BLOCK_BYTES } from "../../../data/format/blocks.ts";
import { bytesEqual } from "../../../data/format/bytes.ts";
import type { CollectionName } from "../../../data/format/collections.ts";
import { isPartTable, type PartTable, partsIn, readPartTable } from "../../../data/format/geometry-parts.ts";
import { firstNumberOf } from "../../../data/format/id-order.ts";
import { joinParts } from "../../../data/format/joined-parts.ts";
import { isPage } from "../../../data/format/manifest.ts";
import type { Points } from "../../../data/format/points.ts";
import { CHUNK_BLOCKS, type RecordPosition, recordPositionOf } from "../../../data/format/records.ts";
import { EngineError, errorOfBoth, FetchError, ManifestError } from "../contract/errors.ts";
import {
  findPartitions,
  isPageRef,
  leavesOf,
  mayHoldCountry,
  type PartitionRef,
  partitionOf,
  type RunRef,
  unopened,
} from "../index-tree/tree.ts";
import { inTurn } from "../tasks/in-turn.ts";
import { joinNeighbours } from "./join-ranges.ts";
import type { RecordRows } from "./record-rows.ts";
import type { RowRef } from "./rows.ts";
import type { Session } from "./session.ts";

/** A record to read. */
export interface RecordRef {
  readonly address: number;
  /** Blocks of its group, the parts of a long geometry included, where that is known. Otherwise its first block contains it. */
  readonly blocks?: number;
  /** The row's geometry, where that is known. The record must have the same bytes. */
  readonly geometry?: Uint8Array;
}

/** The points of a partition, with numbers and addresses of the whole collection. */
export interface PartitionPoints extends Pick<Points, "rows" | "geometry" | "boxes" | "longRows"> {
  number(row: number): number;
  record(row: number): Required<RecordRef>;
  /** Where the first part of a long geometry is. Each part has a block. */
  firstPart(row: number): Omit<RecordPosition, "row">;
}

/** The locations, numbers and addresses of the rows of a partition. */
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

export function boxAt({ boxes }: Pick<Points, "boxes">, row: number): BBox {
  const [west = 0, south = 0, east = 0, north = 0] = boxes.subarray(4 * row, 4 * row + 4);
  return [west, south, east, north];
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
      const { record } = await readPartitionPoints(session, ref);
      return await readAddressed(session, ref.collection, inOrder.map(record));
    } catch (second) {
      throw errorOfBoth(error, second);
    }
  }
}

/** Returns the partitions of a run with these positions in it. */
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

/**
 * Reads the index pages above these records' chunks. A caller uses it at the same time as it reads the points, which
 * saves a round trip. Fails silently: whoever reads the records gets the error.
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

/** Reads the index page above the chunks of these countries, if each country has only one. Fails silently. */
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

async function unlessBroken(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error;
  });
}

/**
 * Reads the rows of these records, in their order. Blocks with a gap of at most `gapBytes` are one range; default: as
 * much as a request costs. Throws `ManifestError` if there is no such record.
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

/** Blocks of each group by its first block, by chunk. */
type WantedBlocks = Map<number, Map<number, number>>;
type ReadGroups = ReadonlyMap<number, ReadonlyMap<number, RecordRows>>;

function want(wanted: WantedBlocks, { chunk, block }: Omit<RecordPosition, "row">, blocks = 1): void {
  const own = wanted.get(chunk) ?? new Map<number, number>();
  wanted.set(chunk, own.set(block, blocks));
}

async function readGroups(
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

interface ReadRecords {
  readonly positions: readonly RecordPosition[];
  readonly rows: readonly RecordRows[];
  /** May have the parts. */
  readonly groups: ReadGroups;
}

/** Returns the rows with whole geometries. */
async function readWhole(
  session: Session,
  collection: CollectionName,
  { positions, rows, groups }: ReadRecords,
): Promise<RecordRows[]> {
  const parts = positions.map(({ chunk, block, row }, index) => {
    const own = rows[index] as RecordRows;
    return { chunk, block: block + own.blocks, count: partsIn(own.geometry(row)) };
  });
  const wanted: WantedBlocks = new Map();
  for (const { chunk, block, count } of parts)
    for (let part = 0; part < count; part++)
      if (!groups.get(chunk)?.has(block + part)) want(wanted, { chunk, block: block + part });
  const more = wanted.size > 0 ? await readGroups(session, collection, wanted) : groups;
  return Promise.all(
    rows.map(async (own, index) => {
      const { chunk, block, count } = parts[index] ?? { chunk: 0, block: 0, count: 0 };
      if (count === 0) return own;
      const partAt = (part: number): Uint8Array => {
        return partIn(collection, groups.get(chunk)?.get(block + part) ?? more.get(chunk)?.get(block + part));
      };
      const geometry = await inTurn(() => joinParts(readPartTable(own.geometry(0)), partAt));
      return { ...own, geometry: () => geometry };
    }),
  );
}

function partIn(collection: CollectionName, group: RecordRows | undefined): Uint8Array {
  if (group?.rows !== 1)
    throw new ManifestError(`the records of ${collection} have no part of a geometry, which the index names`);
  return group.geometry(0);
}

/** The stored geometries of a partition's rows, and where the parts of long ones are. */
type StoredGeometries = Pick<PartitionPoints, "geometry" | "firstPart">;

interface LongRows {
  /** Rows whose geometry is a table. */
  readonly rows: readonly number[];
  /** Chooses the parts. Without the others the geometry is right for what the choice was made for. */
  readonly partsOf: (table: PartTable) => readonly number[];
}

/** Reads long geometries of a partition's rows: TWKB or WKB by row. If the parts cannot be read, from the primary copy. */
export async function readLongGeometries(
  session: Session,
  ref: PartitionRef<"location">,
  points: StoredGeometries,
  { rows, partsOf }: LongRows,
): Promise<ReadonlyMap<number, Uint8Array>> {
  if (rows.length === 0) return new Map();
  try {
    return await readNearParts(session, ref.collection, points, { rows, partsOf });
  } catch (error) {
    if (!(error instanceof EngineError) || session.signal.aborted) throw error;
    const partition = await session.readPartition(ref).catch((second: unknown) => {
      throw errorOfBoth(error, second);
    });
    return new Map(rows.map((row) => [row, partition.geometry(row)]));
  }
}

async function readNearParts(
  session: Session,
  collection: CollectionName,
  { geometry, firstPart }: StoredGeometries,
  { rows, partsOf }: LongRows,
): Promise<ReadonlyMap<number, Uint8Array>> {
  const chosen = rows.map((row) => {
    const table = readPartTable(geometry(row));
    return { row, table, first: firstPart(row), parts: new Set(partsOf(table)) };
  });
  const wanted: WantedBlocks = new Map();
  for (const { first, parts } of chosen)
    for (const part of parts) want(wanted, { chunk: first.chunk, block: first.block + part });
  const groups: ReadGroups = wanted.size > 0 ? await readGroups(session, collection, wanted) : new Map();
  return inTurn(
    () =>
      new Map(
        chosen.map(({ row, table, first, parts }) => {
          const own = groups.get(first.chunk);
          const bytesOf = (part: number) =>
            parts.has(part) ? partIn(collection, own?.get(first.block + part)) : undefined;
          return [row, joinParts(table, bytesOf)] as const;
        }),
      ),
  );
}

/** The geometry of a row, with all its parts if it is long. */
export async function wholeGeometry(
  session: Session,
  ref: PartitionRef<"location">,
  points: StoredGeometries,
  row: number,
): Promise<Uint8Array> {
  const stored = points.geometry(row);
  if (!isPartTable(stored)) return stored;
  const partsOf = ({ parts }: PartTable) => [...parts.keys()];
  return (await readLongGeometries(session, ref, points, { rows: [row], partsOf })).get(row) ?? stored;
}

/** The bytes that reading these records costs, requests included. Groups in memory cost nothing. */
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
