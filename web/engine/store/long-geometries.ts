/**
 * Reads the parts of long geometries: all of them, or those that an answer needs.
 * @module
 */
import type { CollectionName } from "../../../data/format/collections.ts";
import { isPartTable, type PartTable, partsIn, readPartTable } from "../../../data/format/geometry-parts.ts";
import { joinParts } from "../../../data/format/joined-parts.ts";
import type { Points } from "../../../data/format/points.ts";
import type { RecordPosition } from "../../../data/format/records.ts";
import { EngineError, errorOfBoth } from "../contract/errors.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import { inTurn } from "../tasks/in-turn.ts";
import { partIn, type ReadGroups, readGroups, type WantedBlocks, want } from "./record-groups.ts";
import type { RecordRows } from "./record-rows.ts";
import type { Session } from "./session.ts";

interface ReadRecords {
  readonly positions: readonly RecordPosition[];
  readonly rows: readonly RecordRows[];
  /** Groups that were read before, and may contain the parts. */
  readonly groups: ReadGroups;
}

/** Returns the rows of these records, with whole geometries: reads all parts of long ones. */
export async function readWhole(
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

/** The stored geometries of a partition's rows, and where the parts of long ones are. */
export interface StoredGeometries extends Pick<Points, "geometry"> {
  /** Where the first part of a long geometry is. Each part has a block. */
  firstPart(row: number): Omit<RecordPosition, "row">;
}

interface LongRows {
  /** Rows whose geometry is stored as a table of parts. */
  readonly rows: readonly number[];
  /** Chooses the parts to read. The geometry without the other parts is right for the question that the caller asks. */
  readonly partsOf: (table: PartTable) => readonly number[];
}

/**
 * Reads long geometries of a partition's rows, as TWKB by row index. If the parts cannot be read, takes them from the primary
 * copy.
 */
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

/** Returns the stored geometry of a row; a long one with all its parts. */
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
