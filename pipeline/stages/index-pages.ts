/** Makes the lowest index pages, which are 99 % of the index, for some countries at a time. @module */
import { type BBox, splitAtAntimeridian } from "../../data/format/bbox.ts";
import type { AnyRunName, IndexNode, ManifestRun, PartitionNode, StretchNode } from "../../data/format/manifest.ts";
import { lowestLevel, writeLowestPages } from "../index/index.ts";
import { type BuildPlan, type IndexTask, readFacts, readRecord, type Task } from "../plan/index.ts";
import type { DeriveFacts } from "./derive.ts";
import { type LooseStretch, type NumberedBucket, readNumbering, readStretches } from "./numbered-rows.ts";
import type { ReduceFacts } from "./reduce.ts";
import type { TaskContext } from "./row-files.ts";
import type { TermsFacts } from "./terms.ts";

export interface IndexFacts {
  /** A few boxes with the same union as the boxes of the primary copy's partitions. */
  readonly boxes: readonly BBox[];
  /** The first segment of each country, in order. */
  readonly stretches: readonly (readonly [country: string, stretch: number])[];
  /** In the manifest's order. */
  readonly runs: readonly IndexedRun[];
}

export interface IndexedRun extends Pick<ManifestRun, "partitions" | "bytes"> {
  readonly run: AnyRunName;
  readonly rows: number;
  /** In the run's order: pages of partitions, or the partitions if there are few. */
  readonly lowest: readonly IndexNode[];
}

/** Writes the lowest pages of all runs. Holds the partitions of one run at a time. */
export async function indexPages({ plan, folder }: TaskContext, task: IndexTask): Promise<IndexFacts> {
  const { collection, packBytes } = task;
  const { stretches, buckets } = await numberedOf(plan, task);
  const makers = makersOf(plan, task);
  const runs = new Map<AnyRunName, Omit<IndexedRun, "lowest">>();
  let boxes: readonly BBox[] = [];
  async function* lowestLevels() {
    for (const run of new Set<AnyRunName>(["location", "records", ...makers.flatMap((maker) => runOf(maker) ?? [])])) {
      const partitions =
        run === "records"
          ? await withStarts(readStretches(plan, { buckets }), buckets[0]?.before ?? 0)
          : await partitionsOf(plan, makers, run);
      if (run === "location") boxes = joinBoxes(partitions.map(({ bbox }) => bbox));
      const sum = (member: "rows" | "bytes"): number => partitions.reduce((all, node) => all + node[member], 0);
      runs.set(run, { run, partitions: partitions.length, rows: sum("rows"), bytes: sum("bytes") });
      yield [run, lowestLevel(run, partitions)] as const;
    }
  }
  const lowest = await writeLowestPages({ folder, collection, packBytes }, lowestLevels());
  return {
    boxes,
    stretches,
    runs: Array.from(runs.values(), (one) => ({ ...one, lowest: lowest.get(one.run) ?? [] })),
  };
}

/** Returns a few separate boxes. The smallest box around many units can leave out the gaps between them. */
function joinBoxes(boxes: readonly BBox[]): BBox[] {
  const parts = boxes.flatMap(splitAtAntimeridian).sort((a, b) => a[0] - b[0]);
  const joined: BBox[] = [];
  for (const [west, south, east, north] of parts) {
    const last = joined.at(-1);
    if (!last || west > last[2]) joined.push([west, south, east, north]);
    else
      joined[joined.length - 1] = [
        last[0],
        Math.min(last[1], south),
        Math.max(last[2], east),
        Math.max(last[3], north),
      ];
  }
  return joined;
}

/** Contents of all input of the task; undefined if one is unknown. */
export async function contentsOfPartitions(plan: BuildPlan, task: IndexTask): Promise<readonly unknown[] | undefined> {
  const { buckets } = await numberedOf(plan, task);
  const contents: unknown[] = [buckets[0]?.before ?? 0, buckets.map(({ content }) => content)];
  for (const maker of makersOf(plan, task)) {
    const content = (await readRecord(plan.work, maker.key))?.content;
    if (content === undefined) return undefined;
    contents.push(runOf(maker), content);
  }
  return contents;
}

/** Buckets of the task's countries. Segments are counted from the collection's first. */
async function numberedOf(
  plan: BuildPlan,
  { survey, of }: IndexTask,
): Promise<Pick<IndexFacts, "stretches"> & { readonly buckets: readonly NumberedBucket[] }> {
  const { buckets, firstStretches } = await readNumbering(plan, { survey });
  const mine = buckets.slice(...of);
  const countries = new Set(mine.flatMap((bucket) => bucket.countries.map(([country]) => country)));
  return { buckets: mine, stretches: [...firstStretches].filter(([country]) => countries.has(country)) };
}

/** The tasks that made the partitions, except of records. */
function makersOf({ stages }: BuildPlan, { collection, of: [start, end], hasWorldwide }: IndexTask): Task[] {
  const isMine = (bucket: number): boolean => start <= bucket && bucket < end;
  return stages.flatMap(({ tasks }) =>
    tasks.filter((task) => {
      if (task.collection !== collection) return false;
      if (task.stage === "reduce") return isMine(task.bucket);
      if (task.stage === "terms") return task.of ? isMine(task.of[0]) : hasWorldwide;
      return hasWorldwide && runOf(task) !== undefined;
    }),
  );
}

function runOf(task: Task): AnyRunName | undefined {
  if (task.stage === "terms") return "term";
  if (task.stage === "reduce") return "location";
  return task.stage === "derive" ? task.run : undefined;
}

/** In the order of countries, including data of all countries together, which is made last. */
async function partitionsOf({ work }: BuildPlan, makers: readonly Task[], run: AnyRunName): Promise<PartitionNode[]> {
  const partitions: PartitionNode[] = [];
  for (const task of makers) {
    if (runOf(task) !== run) continue;
    const made = await readFacts<ReduceFacts | TermsFacts | DeriveFacts>(work, task.key);
    for (const partition of made.partitions) partitions.push(partition);
  }
  return run === "term" ? partitions.sort(byCountry) : partitions;
}

function byCountry(a: PartitionNode, b: PartitionNode): number {
  return a.country < b.country ? -1 : a.country > b.country ? 1 : 0;
}

async function withStarts(stretches: AsyncIterable<LooseStretch>, before: number): Promise<StretchNode[]> {
  const nodes: StretchNode[] = [];
  let [country, start] = ["", 0];
  for await (const loose of stretches) {
    if (loose.country !== country) [country, start] = [loose.country, 0];
    nodes.push({ ...loose, start, stretch: before + nodes.length });
    start += loose.rows;
  }
  return nodes;
}
