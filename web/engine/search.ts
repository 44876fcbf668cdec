/**
 * Carries out a search: by terms alone, or by place with what the term run tells besides.
 * @module
 */
import { DecodeError, EngineError, FetchError } from "./contract/errors.ts";
import type { Query, SearchReport } from "./contract/query.ts";
import type { PartitionRef } from "./index-tree/tree.ts";
import type { Candidates, Executor, RowRef } from "./order/executor.ts";
import { measureRows, measureShape } from "./order/measure.ts";
import { orderDistances } from "./order/scan.ts";
import { planStep } from "./plan/plan.ts";
import { regionOf } from "./plan/region.ts";
import type { Progress, Step } from "./plan/step.ts";
import type { Partition } from "./store/partition.ts";
import type { Session } from "./store/session.ts";
import { inTurn } from "./tasks/in-turn.ts";
import { matchRows } from "./terms/filter.ts";
import { canSearchTerms, searchTerms } from "./terms/search-terms.ts";
import { type NearTerms, searchTermsNear } from "./terms/search-terms-near.ts";

/** What a search found: the rows of the page, and how. */
export interface FoundRows {
  readonly total: number;
  readonly rows: readonly RowRef[];
  readonly report: SearchReport;
}

/** The rows of the query. */
export function searchRows(session: Session, query: Query, executor: Executor): Promise<FoundRows> {
  return canSearchTerms(query, session.manifest)
    ? searchByTerms(session, query, executor)
    : searchByPlace(session, query, executor);
}

async function searchByTerms(session: Session, query: Query, executor: Executor): Promise<FoundRows> {
  const { rows, before, total } = await session.timed("read", () => searchTerms(session, query));
  const page = await orderRows(session, query, executor, {
    candidates: candidatesOf(rows),
    start: query.offset - before,
  });
  return { ...page, total };
}

async function searchByPlace(session: Session, query: Query, executor: Executor): Promise<FoundRows> {
  const reading = readingOf(session, query);
  let step = await nextStep(session, query, reading.progress);
  let narrowed = query;
  let counted: number | undefined;
  if (step.kind === "read-partitions") {
    const { partitions } = step;
    const told = await session.timed("read", () => askTerms(session, query, partitions));
    if (told?.kind === "rows") return orderRows(session, query, executor, { ...told, start: query.offset });
    if (told) {
      counted = told.total;
      narrowed = { ...query, circle: told.pageCircle };
      step = await nextStep(session, narrowed, reading.progress);
    }
  }
  while (step.kind === "read-partitions") {
    const { partitions, shapes = [] } = step;
    await session.timed("read", () => reading.read(partitions, shapes, narrowed));
    step = await nextStep(session, narrowed, reading.progress);
  }
  const { countedRows, countedPartitions, start } = step;
  const { total, rows, report } = await orderRows(session, query, executor, {
    candidates: reading.candidates(),
    distances: reading.distances(),
    start,
  });
  return {
    total: counted ?? countedRows + total,
    rows,
    report: { ...report, partitionsCounted: countedPartitions },
  };
}

/** What to read next, once the index pages for it are here. */
async function nextStep(
  session: Session,
  query: Query,
  progress: Progress,
): Promise<Exclude<Step, { kind: "read-pages" }>> {
  for (;;) {
    const step = session.timed("plan", () => planStep(query, session, progress));
    if (step.kind !== "read-pages") return step;
    await session.timed("read", () => session.readPages(step.pages));
  }
}

/** What the term run tells, where that is the shorter way; a file of it that cannot be had is no reason to fail. */
function askTerms(session: Session, query: Query, partitions: readonly PartitionRef[]): Promise<NearTerms | undefined> {
  return searchTermsNear(session, query, partitions).catch((error: unknown) => {
    if (error instanceof EngineError) return undefined;
    throw error;
  });
}

/** The partitions and shapes that a search by place has read. */
interface Reading {
  readonly progress: Progress;
  read(partitions: readonly PartitionRef[], shapes: readonly PartitionRef[], query: Query): Promise<void>;
  candidates(): readonly Candidates[];
  /** Of the candidates, in order; undefined where rows of others are among them. */
  distances(): Float64Array | undefined;
}

function readingOf(session: Session, asked: Query): Reading {
  const region = regionOf(asked);
  const read = new Map<string, Candidates>();
  /** Distances by partition, of those whose shapes alone were read. */
  const measured = new Map<string, Float64Array>();
  let distances: Float64Array = new Float64Array(0);

  async function readPartition(ref: PartitionRef, query: Query): Promise<void> {
    const partition = await session.readPartition(ref);
    read.set(ref.node.sha256, await inTurn(() => candidatesIn(partition, query)));
    measured.delete(ref.node.sha256);
  }

  async function measurePartition(ref: PartitionRef, query: Query): Promise<void> {
    if (!region || !ref.node.shape || session.isAtHand(ref)) return readPartition(ref, query);
    // shapes save bytes: without them the partition says the same
    const shape = await session.readShape(ref).catch((error: unknown) => {
      if (error instanceof FetchError || error instanceof DecodeError) return undefined;
      throw error;
    });
    if (!shape) return readPartition(ref, query);
    measured.set(ref.node.sha256, await inTurn(() => measureShape(shape, region)));
  }

  return {
    progress: {
      isRead: ({ sha256 }) => read.has(sha256),
      measured: ({ sha256 }) => measured.get(sha256),
      get matched() {
        return distances.length;
      },
      distanceAt: (rank) => distances[rank] ?? Number.POSITIVE_INFINITY,
    },
    async read(partitions, shapes, query) {
      await Promise.all([
        ...partitions.map((ref) => readPartition(ref, query)),
        ...shapes.map((ref) => measurePartition(ref, query)),
      ]);
      const known = [...read.values()].flatMap((candidates) => candidates.distances ?? []);
      distances = orderDistances([...known, ...measured.values()]);
    },
    candidates: () => [...read.values()],
    distances: () => (region && measured.size === 0 ? distances : undefined),
  };
}

/** The rows of the page among the candidates; `start` is the rank of its first row among them. */
async function orderRows(
  session: Session,
  { collections, circle, area, limit }: Query,
  executor: Executor,
  {
    candidates,
    distances,
    start,
  }: {
    readonly candidates: readonly Candidates[];
    readonly distances?: Float64Array | undefined;
    readonly start: number;
  },
): Promise<FoundRows> {
  const byCollection = candidates.toSorted(
    (a, b) => collections.indexOf(a.partition.collection) - collections.indexOf(b.partition.collection),
  );
  const ordered = await session.timed("execute", () =>
    executor.run(byCollection, { start, end: start + limit, distances }, session.signal),
  );
  session.signal.throwIfAborted();
  return {
    total: ordered.matched,
    rows: circle || area ? ordered.rows : ordered.rows.map(({ partition, row }) => ({ partition, row })),
    report: {
      executor: ordered.executor,
      release: session.manifest.release,
      files: session.files,
      partitionsCounted: 0,
      rowsScanned: candidates.reduce((sum, { partition }) => sum + partition.rows, 0),
      sql: ordered.sql,
      milliseconds: session.milliseconds,
    },
  };
}

/** Rows as their partitions with only those matching. */
function candidatesOf(rows: readonly RowRef[]): Candidates[] {
  const byPartition = new Map<Partition, Float64Array>();
  for (const { partition, row } of rows) {
    const distances = byPartition.get(partition) ?? new Float64Array(partition.rows).fill(Number.POSITIVE_INFINITY);
    byPartition.set(partition, distances);
    distances[row] = 0;
  }
  return Array.from(byPartition, ([partition, distances]) => ({ partition, distances }));
}

/** The rows of the partition that match. Without a region all that match are equally far. */
function candidatesIn(partition: Partition, query: Query): Candidates {
  const region = regionOf(query);
  const { filters } = query;
  if (!region && !filters) return { partition };
  const matches = filters && matchRows(partition, filters);
  if (region) return { partition, distances: measureRows(partition, region, matches) };
  const distances = Float64Array.from(matches ?? [], (isMatch) => (isMatch === 1 ? 0 : Number.POSITIVE_INFINITY));
  return { partition, distances };
}
