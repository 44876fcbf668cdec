/**
 * The partitions whose points a search by location has read, measured.
 * @module
 */
import { isPartTable, PART_STARTS_MEMBER, readPartTable } from "../../../data/format/geometry-parts.ts";
import { joinParts } from "../../../data/format/joined-parts.ts";
import { partitionKey } from "../index-tree/sections.ts";
import type { PartitionRef } from "../index-tree/tree.ts";
import { measurePoints } from "../order/measure.ts";
import { type Measured, sortedDistances } from "../order/order-measured.ts";
import type { Region } from "../plan/region.ts";
import type { Progress } from "../plan/step.ts";
import {
  boxAt,
  type PartitionPoints,
  prefetchPages,
  prefetchRows,
  readPartitionPoints,
} from "../store/addressed-rows.ts";
import { readLongGeometries } from "../store/long-geometries.ts";
import type { Session } from "../store/session.ts";
import { inTurn } from "../tasks/in-turn.ts";

/** Decides which rows of a partition match: before they are measured (`testOf`), or after it (`settle`). */
export interface PartitionMatcher {
  /** Returns a test of the partition's rows by index. */
  testOf(ref: PartitionRef<"location">, points: PartitionPoints): Promise<(row: number) => boolean>;
  /** Tests measured rows, and sets the distance of rows that do not match to Infinity. */
  settle?(lists: readonly MeasuredPartition[]): Promise<void>;
}

/** A partition, or a section of its points, with the distances of its rows. */
export interface MeasuredPartition
  extends Measured,
    Pick<PartitionPoints, "number" | "record" | "geometry" | "firstPart"> {
  readonly ref: PartitionRef<"location">;
}

export interface Reading {
  readonly progress: Progress;
  matchWith(matcher: PartitionMatcher): void;
  read(partitions: readonly PartitionRef<"location">[]): Promise<void>;
  lists(): readonly MeasuredPartition[];
  /** Returns the distances of the matching rows in metres, ascending. */
  sorted(): Float64Array;
}

export interface ReadingOptions {
  /** Whether rows of the partitions are read afterwards. */
  readonly hasRows: boolean;
  /** Whether nearly all matching rows are on the page. Their records are then read together with the parts of long geometries. */
  readonly areAllRead?: boolean;
}

/**
 * Returns a reading without partitions. Its `read` reads and measures the points of partitions, with the parts of long
 * geometries.
 */
export function createReading(
  session: Session,
  region: Region,
  { hasRows, areAllRead = false }: ReadingOptions,
): Reading {
  const measured = new Map<string, MeasuredPartition>();
  let matcher: PartitionMatcher | undefined;
  let distances: Float64Array = new Float64Array(0);

  async function measure(ref: PartitionRef<"location">): Promise<MeasuredPartition> {
    const points = await readPartitionPoints(session, ref);
    const isWanted = await matcher?.testOf(ref, points);
    const reached = (row: number): boolean => region.reaches(boxAt(points, row)) && (isWanted?.(row) ?? true);
    const [long] = await Promise.all([
      readLongGeometries(session, ref, points, {
        rows: points.longRows.filter(reached),
        partsOf: (table) => region.partsOf(table),
      }),
      areAllRead ? prefetchRows(session, ref.collection, rowsThatMayMatch(points, region, reached)) : undefined,
    ]);
    const geometry = (row: number): Uint8Array => long.get(row) ?? points.geometry(row);
    const distances = new Float64Array(points.rows).fill(Number.POSITIVE_INFINITY);
    for (let row = 0; row < points.rows; ) {
      const start = row;
      row = await inTurn(() => measurePoints({ ...points, geometry }, region, { distances, isWanted }, start));
      session.signal.throwIfAborted();
    }
    return { ...points, ref, distances };
  }

  return {
    progress: {
      isRead: (node) => measured.has(partitionKey(node)),
      get matched() {
        return distances.length;
      },
      distanceAt: (rank) => distances[rank] ?? Number.POSITIVE_INFINITY,
    },
    matchWith(next) {
      matcher = next;
    },
    async read(partitions) {
      const [lists] = await Promise.all([
        Promise.all(partitions.map(measure)),
        hasRows ? prefetchPages(session, partitions) : undefined,
      ]);
      await matcher?.settle?.(lists);
      for (const list of lists) measured.set(partitionKey(list.ref.node), list);
      distances = await inTurn(() => sortedDistances([...measured.values()].map((list) => list.distances)));
    },
    lists: () => [...measured.values()],
    sorted: () => distances,
  };
}

/**
 * Records of the rows that match, and of those that probably do: parts of their long geometries decide it, and are not read yet.
 * Parts of whole rings seldom do: islands far from each other.
 */
function rowsThatMayMatch(
  points: PartitionPoints,
  region: Region,
  reached: (row: number) => boolean,
): ReturnType<PartitionPoints["record"]>[] {
  const mayMatch = (row: number): boolean => {
    const stored = points.geometry(row);
    if (!isPartTable(stored)) return region.metersOf(stored) < Number.POSITIVE_INFINITY;
    const table = readPartTable(stored);
    if (region.partsOf(table).some((part) => (table.parts[part]?.form ?? 0) >= PART_STARTS_MEMBER)) return true;
    return region.metersOf(joinParts(table, () => undefined)) < Number.POSITIVE_INFINITY;
  };
  return Array.from({ length: points.rows }, (_, row) => row)
    .filter((row) => reached(row) && mayMatch(row))
    .map((row) => points.record(row));
}
