/** Makes the lowest index pages, which are 99 % of the index, for some countries at a time. @module */
import { type BBox, splitAtAntimeridian } from "../../../data/format/bbox.ts";
import {
  type AnyRunName,
  type IndexNode,
  type ManifestRun,
  type PartitionNode,
  RUN_NAMES,
  type SegmentNode,
} from "../../../data/format/manifest.ts";
import { lowestLevel, writeLowestPages } from "../index/index.ts";
import { type BuildPlan, type IndexTask, readFacts, readRecord, type Task } from "../plan/index.ts";
import type { DeriveFacts } from "./derive.ts";
import type { IdsFacts } from "./ids.ts";
import { type NumberedBucket, readNumbering } from "./numbered-rows.ts";
import { type RecordedBucket, readNodes, readRecording } from "./recorded-rows.ts";
import type { FileContext } from "./row-files.ts";
import type { TermsFacts } from "./terms.ts";

/** The first segment or chunk of each country, in order. */
type Firsts = readonly (readonly [country: string, first: number])[];

export interface IndexFacts {
  /** A few boxes with the same union as the boxes of all slices of the primary copy. */
  readonly boxes: readonly BBox[];
  readonly segments: Firsts;
  readonly chunks: Firsts;
  /** In the order of the manifest. */
  readonly runs: readonly IndexedRun[];
}

export interface IndexedRun extends Pick<ManifestRun, "partitions" | "bytes"> {
  readonly run: AnyRunName;
  readonly rows: number;
  /** In the run's order: pages of slices, or the slices if there are few. */
  readonly lowest: readonly IndexNode[];
}

/** Writes the lowest pages of all runs for the countries of the task. Has the slices of one run at a time in memory. */
export async function indexPages({ plan, folder }: FileContext, task: IndexTask): Promise<IndexFacts> {
  const { collection, packBytes } = task;
  const input = await inputOf(plan, task);
  const { segments, chunks, makers } = input;
  const runs = new Map<AnyRunName, Omit<IndexedRun, "lowest">>();
  let boxes: readonly BBox[] = [];
  const isWhole = tasksOf(plan, collection) === 1;
  async function* lowestLevels() {
    for (const run of new Set<AnyRunName>([...RUN_NAMES, ...makers.flatMap((maker) => runOf(maker) ?? [])])) {
      const partitions = await partitionsOf(plan, input, run);
      if (run === "location") boxes = joinBoxes(partitions.map(({ bbox }) => bbox));
      const sum = (member: "rows" | "bytes"): number => partitions.reduce((all, node) => all + node[member], 0);
      runs.set(run, { run, partitions: partitions.length, rows: sum("rows"), bytes: sum("bytes") });
      yield [run, lowestLevel(run, partitions, { isWhole })] as const;
    }
  }
  const lowest = await writeLowestPages({ folder, collection, packBytes }, lowestLevels());
  return {
    boxes,
    segments,
    chunks,
    runs: Array.from(runs.values(), (one) => ({ ...one, lowest: lowest.get(one.run) ?? [] })),
  };
}

function tasksOf({ stages }: BuildPlan, collection: IndexTask["collection"]): number {
  const tasks = stages.flatMap((stage) => stage.tasks);
  return tasks.filter((task) => task.stage === "index" && task.collection === collection).length;
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

/** Returns hashes of all input of the task; undefined if one is not known. */
export async function contentsOfPartitions(plan: BuildPlan, task: IndexTask): Promise<readonly unknown[] | undefined> {
  const { numbered, recorded, makers } = await inputOf(plan, task);
  const contents: unknown[] = [numbered, recorded].map((buckets) => [
    buckets[0]?.before ?? 0,
    buckets.map(({ content }) => content),
  ]);
  for (const maker of makers) {
    const content = (await readRecord(plan.work, maker.key))?.content;
    if (content === undefined) return undefined;
    contents.push(runOf(maker), content);
  }
  return contents;
}

/** Input of an index task. Segments and chunks are counted from the collection's first. */
interface IndexInput {
  readonly numbered: readonly NumberedBucket[];
  readonly recorded: readonly RecordedBucket[];
  readonly segments: Firsts;
  readonly chunks: Firsts;
  /** The tasks that made the partitions, except of the primary copy and records. */
  readonly makers: readonly Task[];
}

async function inputOf(plan: BuildPlan, task: IndexTask): Promise<IndexInput> {
  const { survey, of } = task;
  const [numbering, recording] = [await readNumbering(plan, { survey }), await readRecording(plan, { survey })];
  const numbered = numbering.buckets.slice(...of);
  const countries = new Set(numbered.flatMap((bucket) => bucket.countries.map(([country]) => country)));
  const mine = (firsts: ReadonlyMap<string, number>): Firsts =>
    [...firsts].filter(([country]) => countries.has(country));
  return {
    numbered,
    recorded: recording.buckets.slice(...of),
    segments: mine(numbering.firstSegments),
    chunks: mine(recording.firstChunks),
    makers: makersOf(plan, task),
  };
}

function makersOf({ stages }: BuildPlan, { collection, of: [start, end], hasWorldwide }: IndexTask): Task[] {
  const isMine = (bucket: number): boolean => start <= bucket && bucket < end;
  return stages.flatMap(({ tasks }) =>
    tasks.filter((task) => {
      if (task.collection !== collection) return false;
      if (task.stage === "ids") return isMine(task.bucket);
      if (task.stage === "terms") return task.of ? isMine(task.of[0]) : hasWorldwide;
      return hasWorldwide && runOf(task) !== undefined;
    }),
  );
}

function runOf(task: Task): AnyRunName | undefined {
  if (task.stage === "terms") return "term";
  if (task.stage === "ids") return "ids";
  return task.stage === "derive" ? task.run : undefined;
}

/** In the order of countries, including data of all countries together, which is made last. */
async function partitionsOf(
  plan: BuildPlan,
  { numbered, recorded, makers }: IndexInput,
  run: AnyRunName,
): Promise<PartitionNode[]> {
  const partitions: PartitionNode[] = [];
  if (run === "location" || run === "records") {
    for await (const { slices, chunks } of readNodes(plan, { buckets: recorded }))
      for (const node of run === "location" ? slices : chunks) partitions.push(node);
    return partitions;
  }
  const made = makers.filter((task) => runOf(task) === run);
  if (run === "ids") return withStarts(await factsOf<IdsFacts>(plan, made), numbered[0]?.before ?? 0);
  for (const { partitions: mine } of await factsOf<TermsFacts | DeriveFacts>(plan, made))
    for (const partition of mine) partitions.push(partition);
  return run === "term" ? partitions.sort(byCountry) : partitions;
}

async function factsOf<Facts>({ work }: BuildPlan, tasks: readonly Task[]): Promise<Facts[]> {
  const facts: Facts[] = [];
  for (const { key } of tasks) facts.push(await readFacts<Facts>(work, key));
  return facts;
}

function byCountry(a: PartitionNode, b: PartitionNode): number {
  return a.country < b.country ? -1 : a.country > b.country ? 1 : 0;
}

function withStarts(made: readonly IdsFacts[], before: number): SegmentNode[] {
  const nodes: SegmentNode[] = [];
  let [country, start] = ["", 0];
  for (const { partitions } of made) {
    for (const loose of partitions) {
      if (loose.country !== country) [country, start] = [loose.country, 0];
      nodes.push({ ...loose, start, segment: before + nodes.length });
      start += loose.rows;
    }
  }
  return nodes;
}
