/**
 * Carries out plans: reads what they ask for, until nothing more is asked for, and has an executor order the rows.
 * @module
 */
import { pagePath, partitionPath, shapePath } from "../../data/format/paths.ts";
import { DecodeError, EngineError, FetchError } from "./errors.ts";
import type { Candidates, Executor, RowRef } from "./execute/executor.ts";
import { measureRows } from "./execute/measure.ts";
import { orderDistances } from "./execute/scan.ts";
import { inTurn } from "./in-turn.ts";
import { type Progress, planStep } from "./plan/plan.ts";
import type { FileUse, Query, SearchReport } from "./query.ts";
import type { Partition } from "./release/partition.ts";
import type { Lease, PartitionRef } from "./release/partition-cache.ts";
import type { Release } from "./release/release.ts";
import { measureShape } from "./release/shape.ts";
import { matchRows } from "./terms/filter.ts";
import { canSearchTerms, searchTerms } from "./terms/search-terms.ts";
import { type NearTerms, searchTermsNear } from "./terms/search-terms-near.ts";

/** What a search found: the rows of the page, and how. */
export interface FoundRows {
  readonly total: number;
  readonly rows: readonly RowRef[];
  readonly report: SearchReport;
}

export interface SearchContext {
  readonly release: Release;
  readonly lease: Lease;
  readonly executor: Executor;
}

/** The rows of the query. */
export async function searchRows(query: Query, context: SearchContext, signal?: AbortSignal): Promise<FoundRows> {
  const { lease } = context;
  const milliseconds = { plan: 0, read: 0, execute: 0 };
  const timed = timer(milliseconds);
  const files: FileUse[] = [];
  const release: Release = {
    ...context.release,
    async readPage(collection, node, pageSignal) {
      const from = await context.release.readPage(collection, node, pageSignal);
      files.push({ path: pagePath(collection, node.sha256), bytes: node.bytes, from });
      return from;
    },
  };
  /** The query, or a smaller circle that has all rows of its page. */
  let narrowed = query;
  /** Rows that match, where they were counted before. */
  let counted: number | undefined;
  const read = new Map<string, Candidates>();
  /** Distances by partition, of those whose shapes alone were read. */
  const measured = new Map<string, Float64Array>();
  let distances: Float64Array = new Float64Array(0);
  const progress: Progress = {
    childrenOf: release.childrenOf,
    isRead: ({ sha256 }) => read.has(sha256),
    measured: ({ sha256 }) => measured.get(sha256),
    get matched() {
      return distances.length;
    },
    distanceAt: (rank) => distances[rank] ?? Number.POSITIVE_INFINITY,
  };

  const opened = new Map<string, Promise<Partition>>();
  function openPartition(ref: PartitionRef): Promise<Partition> {
    const known = opened.get(ref.node.sha256);
    if (known) return known;
    const work = lease.read(ref, signal).then(({ partition, from }) => {
      const { bytes, rows, bbox } = ref.node;
      files.push({ path: partitionPath(ref.collection, ref.run, ref.node), bytes, from, rows, bbox });
      return partition;
    });
    opened.set(ref.node.sha256, work);
    return work;
  }
  async function readPartition(ref: PartitionRef): Promise<void> {
    const partition = await openPartition(ref);
    read.set(ref.node.sha256, await inTurn(() => candidatesIn(partition, narrowed)));
    measured.delete(ref.node.sha256);
  }
  async function measurePartition(ref: PartitionRef): Promise<void> {
    const { sha256, country, shape: file } = ref.node;
    const { circle } = query;
    if (!file || !circle || lease.isAtHand(ref)) return readPartition(ref);
    // shapes save bytes: without them the partition says the same
    const loaded = await lease.readShape(ref, signal).catch((error: unknown) => {
      if (error instanceof FetchError || error instanceof DecodeError) return undefined;
      throw error;
    });
    if (!loaded) return readPartition(ref);
    const { shape, from } = loaded;
    const { rows, bbox } = ref.node;
    files.push({ path: shapePath(ref.collection, country, file.sha256), bytes: file.bytes, from, rows, bbox });
    measured.set(sha256, await inTurn(() => measureShape(shape, circle)));
  }
  async function execute(
    candidates: readonly Candidates[],
    start: number,
  ): Promise<Pick<FoundRows, "rows" | "report"> & { matched: number }> {
    const byCollection = candidates.toSorted(
      (a, b) => query.collections.indexOf(a.partition.collection) - query.collections.indexOf(b.partition.collection),
    );
    const range = { start, end: start + query.limit };
    const { rows, matched, executor, sql } = await timed("execute", () =>
      context.executor.run(byCollection, range, signal),
    );
    signal?.throwIfAborted();
    return {
      rows: query.circle ? rows : rows.map(({ partition, row }) => ({ partition, row })),
      matched,
      report: {
        executor,
        release: release.manifest.release,
        files,
        partitionsCounted: 0,
        rowsScanned: candidates.reduce((sum, { partition }) => sum + partition.rows, 0),
        sql,
        milliseconds,
      },
    };
  }

  const terms = { release, read: openPartition, isAtHand: lease.isAtHand };
  if (canSearchTerms(query, release.manifest)) {
    const { rows, before, total } = await timed("read", () => searchTerms(query, terms, signal));
    const { rows: page, report } = await execute(candidatesOf(rows), query.offset - before);
    return { total, rows: page, report };
  }

  /** From the term run, where that is the shorter way; a file of it that cannot be had is no reason to fail. */
  async function fromTerms(partitions: readonly PartitionRef[]): Promise<NearTerms | undefined> {
    return searchTermsNear(query, partitions, terms, signal).catch((error: unknown) => {
      if (error instanceof EngineError) return undefined;
      throw error;
    });
  }

  let isFirst = true;
  for (;;) {
    const step = timed("plan", () => planStep(narrowed, release.manifest, progress));
    if (step.kind === "read-pages") {
      await timed("read", () =>
        Promise.all(step.pages.map(({ collection, node }) => release.readPage(collection, node, signal))),
      );
    } else if (step.kind === "read-partitions") {
      const { partitions, shapes = [] } = step;
      const told = isFirst ? await timed("read", () => fromTerms(partitions)) : undefined;
      isFirst = false;
      if (told?.kind === "rows") {
        const { rows, matched, report } = await execute(told.candidates, query.offset);
        return { total: matched, rows, report };
      }
      if (told && query.circle) {
        counted = told.total;
        narrowed = { ...query, circle: { ...query.circle, radiusMeters: told.pageRadiusMeters } };
        continue;
      }
      await timed("read", () => Promise.all([...partitions.map(readPartition), ...shapes.map(measurePartition)]));
      const known = [...read.values()].flatMap((candidates) => candidates.distances ?? []);
      distances = orderDistances([...known, ...measured.values()]);
    } else {
      const { rows, matched, report } = await execute([...read.values()], step.start);
      return {
        total: counted ?? step.countedRows + matched,
        rows,
        report: { ...report, partitionsCounted: step.countedPartitions },
      };
    }
  }
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

/** The rows of the partition that match. Without a circle all that match are equally far. */
function candidatesIn(partition: Partition, { circle, filters }: Query): Candidates {
  if (!circle && !filters) return { partition };
  const matches = filters && matchRows(partition, filters);
  if (circle) return { partition, distances: measureRows(partition, circle, matches) };
  const distances = Float64Array.from(matches ?? [], (isMatch) => (isMatch === 1 ? 0 : Number.POSITIVE_INFINITY));
  return { partition, distances };
}

/** Adds the time of each piece of work, waiting included, to its sum. */
function timer(milliseconds: Record<"plan" | "read" | "execute", number>) {
  return <T>(name: keyof typeof milliseconds, work: () => T): T => {
    const start = performance.now();
    const add = () => {
      milliseconds[name] += performance.now() - start;
    };
    const result = work();
    if (result instanceof Promise) void result.then(add, add);
    else add();
    return result;
  };
}
