/**
 * The partitions whose points a search by location has read, measured.
 * @module
 */
import type { PartitionRef } from "../index-tree/tree.ts";
import { measurePoints } from "../order/measure.ts";
import { type Measured, sortedDistances } from "../order/order-measured.ts";
import type { Region } from "../plan/region.ts";
import type { Progress } from "../plan/step.ts";
import { boxAt, type PartitionPoints, prefetchPages, readPartitionPoints } from "../store/addressed-rows.ts";
import { readLongGeometries } from "../store/long-geometries.ts";
import type { Session } from "../store/session.ts";
import { inTurn } from "../tasks/in-turn.ts";

/** Decides which rows of a partition match, before or after they are measured. */
export interface PartitionMatcher {
  /** A test of the partition's rows. */
  testOf(ref: PartitionRef<"location">, points: PartitionPoints): Promise<(row: number) => boolean>;
  /** Tests rows after they were measured: the distance of one that does not match becomes Infinity. */
  settle?(lists: readonly MeasuredPartition[]): Promise<void>;
}

/** A partition with the distances of its rows. */
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
  /** Distances of the rows that match, in order. */
  sorted(): Float64Array;
}

/** Creates a reading. `hasRows`: rows of the partitions are read afterwards. */
export function createReading(session: Session, region: Region, { hasRows }: { readonly hasRows: boolean }): Reading {
  const measured = new Map<string, MeasuredPartition>();
  let matcher: PartitionMatcher | undefined;
  let distances: Float64Array = new Float64Array(0);

  async function measure(ref: PartitionRef<"location">): Promise<MeasuredPartition> {
    const points = await readPartitionPoints(session, ref);
    const isWanted = await matcher?.testOf(ref, points);
    const long = await readLongGeometries(session, ref, points, {
      rows: points.longRows.filter((row) => region.reaches(boxAt(points, row)) && (isWanted?.(row) ?? true)),
      partsOf: (table) => region.partsOf(table),
    });
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
      isRead: ({ sha256 }) => measured.has(sha256),
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
      for (const list of lists) measured.set(list.ref.node.sha256, list);
      distances = await inTurn(() => sortedDistances([...measured.values()].map((list) => list.distances)));
    },
    lists: () => [...measured.values()],
    sorted: () => distances,
  };
}
