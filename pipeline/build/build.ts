import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { OvertureType } from "../../data/format/collections.ts";
import { type Manifest, PACK_BYTES } from "../../data/format/manifest.ts";
import type { AskedArea } from "../area/index.ts";
import { writeOutlines } from "../country/index.ts";
import { defaultMemory, duckdbBytes, openDatabase } from "../database/index.ts";
import {
  type DatasetLock,
  DISK,
  type Disk,
  explainFullDisk,
  filesBelow,
  lockDataset,
  makeFolder,
  writeWhole,
} from "../disk/index.ts";
import { carryOut, type Executor, localExecutor, type TaskEvents } from "../execute/index.ts";
import {
  attemptsFolder,
  type BuildPlan,
  type MadeFile,
  makeStages,
  planPath,
  planPublish,
  planScans,
  programVersion,
  publishedFiles,
  removeOtherTasks,
  type Task,
} from "../plan/index.ts";
import {
  type AllowedLosses,
  finish,
  publish,
  refuseEmptiedBy,
  refuseLosses,
  refuseStrangeFolder,
} from "../publish/index.ts";
import {
  findSources,
  measureSources,
  reachSources,
  releaseOfExtracts,
  type SourceFile,
  typeSources,
} from "../sources/index.ts";
import { publishShare, readCountries } from "../stages/index.ts";
import { type CounterOptions, createTaskCounter, type TaskCounter } from "./task-counter.ts";
import { nothingTaken, withTypes, writeAreaFile } from "./wanted.ts";

/** Large enough that a task is worth a process, small enough to be sorted in memory. */
const TASK_ROWS = 1_000_000;

/** Less is published before a task has begun: a disk copies as much in about a minute. */
const SHARE_BYTES = 16 * 2 ** 30;

/** Some rows of every release are odd; a column that changed its type rejects them all. */
const MOST_REJECTS = 0.01;

export const FULL_DISK_ADVICE =
  "what is finished stays: free room and build again, or give --temp a folder on a larger disk";

export interface BuildOptions {
  readonly sources: readonly string[];
  /** The dataset's folder; what it holds is replaced when the build is whole. */
  readonly out: string;
  /** That of the extracts that the sources are when left out, else made from the content. */
  readonly release?: string | undefined;
  /** Rows elsewhere are left out. */
  readonly area?: AskedArea | undefined;
  /** Sources of other types are left out. */
  readonly types?: readonly OvertureType[] | undefined;
  /** Most memory to take on a machine; a quarter of it when left out. */
  readonly memoryBytes?: number | undefined;
  /** Of each task; the machine's, shared among the tasks at a time, when left out. */
  readonly threads?: number | undefined;
  /** Folder for checkpoints and for what is being sorted; one beside the dataset when left out. */
  readonly temp?: string | undefined;
  /** Folder of a node's own disk for what is sorted and not finished; may begin with a variable, as `$TMPDIR`. */
  readonly scratch?: string | undefined;
  /** Rows that a task sorts, or about as many. The dataset does not depend on it. */
  readonly taskRows?: number | undefined;
  /** Bytes of files that a task publishes, about; fewer are published by this process. */
  readonly shareBytes?: number | undefined;
  /** Largest size of a pack, about; 0 for a file for each slice. */
  readonly packBytes?: number | undefined;
  /** `small` when left out. */
  readonly level?: BuildPlan["level"] | undefined;
  /** Rows of the countries whose index pages a task writes, about: 128 million when left out. Which slices share a page follows from it. */
  readonly indexRows?: number | undefined;
  /** Share of a collection's records that may be rejected, 0 to 1; a hundredth when left out. */
  readonly mostRejects?: number | undefined;
  /** Types that may not be missed, in place of `types`: sources that were fetched may lack one that has no rows there. */
  readonly wantedTypes?: readonly OvertureType[] | undefined;
  /** Whether a collection that the dataset in place has, of the wanted types, may be without rows. */
  readonly allowEmpty?: boolean | undefined;
  readonly executor?: Executor | undefined;
  /** Whether checkpoints stay when the build is whole, so that the next one redoes only what changed. */
  readonly keep?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly onProgress?: CounterOptions["onProgress"];
  readonly onStage?: CounterOptions["onStage"];
  readonly onWait?: ((message: string) => void) | undefined;
  readonly disk?: Disk | undefined;
}

export interface BuildReport {
  readonly release: string;
  readonly rows: number;
  readonly rejected: number;
  /** Rejected records by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly partitions: number;
  readonly bytes: number;
  readonly collections: readonly BuiltCollection[];
}

export interface BuiltCollection {
  readonly name: string;
  readonly rows: number;
  /** Columns of the sources that the collection does not have. */
  readonly ignoredColumns: readonly string[];
}

/** Builds the dataset. When it throws, the folder holds what it held before, and the next build goes on from there. */
export async function buildDataset(options: BuildOptions): Promise<BuildReport> {
  const files = await findSources(options.sources);
  const ofExtracts = await releaseOfExtracts(files);
  const release = options.release ?? ofExtracts;
  const dataset = resolve(options.out);
  const work = workFolder(dataset, options.temp);
  await makeFolder(dataset);
  await refuseStrangeFolder(dataset);
  const lock = await lockDataset(dataset, { onWait: options.onWait });
  try {
    for (const left of options.force ? [work] : [attemptsFolder(work), finishFolder(work)])
      await rm(left, { recursive: true, force: true });
    await makeFolder(attemptsFolder(work));
    const manifest = await makeDataset({ ...options, release }, { files, dataset, work, lock });
    if (!options.keep) await rm(work, { recursive: true });
    return reportOf(manifest);
  } catch (error) {
    throw explainFullDisk(error, work, FULL_DISK_ADVICE);
  } finally {
    await lock.release();
  }
}

function workFolder(dataset: string, temp: string | undefined): string {
  if (temp === undefined) return join(dirname(dataset), `${basename(dataset)}.build`);
  return join(resolve(temp), `cairn-${createHash("sha256").update(dataset).digest("hex").slice(0, 12)}`);
}

/** A variable is the node's. */
function scratchFolder(scratch: string | undefined): string | undefined {
  return scratch === undefined || scratch.startsWith("$") ? scratch : resolve(scratch);
}

function finishFolder(work: string): string {
  return join(work, "finish");
}

interface Places {
  readonly files: readonly SourceFile[];
  readonly dataset: string;
  readonly work: string;
  readonly lock: DatasetLock;
}

async function makeDataset(options: BuildOptions, { files, dataset, work, lock }: Places): Promise<Manifest> {
  const executor = options.executor ?? localExecutor();
  const counter = createTaskCounter(options);
  const memoryBytes = options.memoryBytes ?? defaultMemory();
  const threads = options.threads ?? Math.max(1, Math.floor(availableParallelism() / executor.atATime));
  const database = await openDatabase({
    folder: attemptsFolder(work),
    memoryBytes: duckdbBytes(memoryBytes / executor.atATime),
  });
  try {
    await reachSources(
      database,
      files.map(({ path }) => path),
    );
    const typed = await typeSources(database, files);
    const areas = typed.filter(({ type }) => type === "division_area");
    const area = options.area && (await writeAreaFile(database, options.area, { areas, work }));
    const measured = await measureSources(database, withTypes(typed, options.types));
    const sources = area ? measured.map((source) => ({ ...source, area })) : measured;
    const outlines = await writeOutlines(database, areas, work);
    const { packBytes = PACK_BYTES, level = "small" } = options;
    const inputs = { sources, version: `${await programVersion()} ${level}`, outlines: outlines.sha256 };
    const limits = { memoryBytes, threads, packBytes, level, scratch: scratchFolder(options.scratch) };
    const common = { work, version: inputs.version, dataset, outlines: outlines.path, ...limits };
    const allowed = allowedLosses(options);
    const scans: BuildPlan = { ...common, stages: [{ name: "scan", tasks: planScans(inputs) }] };
    counter.ended("sources", files.length);
    await carryOutPlan(scans, executor, counter);
    // before the stages that take most of the time
    const taken = await refuseLosses(database, scans, allowed);
    if (!allowed.allowEmpty && taken.rows === 0) throw new Error(nothingTaken(options.area, taken.rejects));
    const countriesOf = await readCountries(scans);
    const { taskRows = TASK_ROWS, indexRows } = options;
    const stages = makeStages({ ...inputs, taskRows, indexRows, packBytes, countriesOf });
    const plan: BuildPlan = { ...common, stages };
    await carryOutPlan(plan, executor, counter);
    const folder = finishFolder(work);
    const manifest = await finish(database, { plan, files, release: options.release, folder });
    await refuseEmptiedBy(manifest, plan, allowed);
    const { shareBytes = SHARE_BYTES, disk = DISK } = options;
    const placed = await publishAhead(plan, { executor, lock, shareBytes, disk, counter });
    const others = (await filesBelow(folder)).map((path) => ({ path, made: join(folder, path) }));
    await publish({ placed, others }, { dataset, disk, assertHeld: lock.assertHeld });
    await removeOtherTasks(plan);
    counter.ended("dataset", placed.length + others.length);
    return manifest;
  } finally {
    database.close();
  }
}

function allowedLosses(options: BuildOptions): AllowedLosses {
  const { mostRejects = MOST_REJECTS, allowEmpty = false, types, wantedTypes = types } = options;
  return { mostRejects, allowEmpty, types: wantedTypes };
}

async function carryOutPlan(plan: BuildPlan, executor: Executor, counter: TaskCounter): Promise<void> {
  await writeWhole(planPath(plan.work), JSON.stringify(plan));
  await carryOut(plan, executor, eventsOf(plan, counter));
}

function eventsOf(plan: BuildPlan, { made, found }: TaskCounter): TaskEvents {
  return { onTask: (task) => made(task, plan), onFinished: (tasks) => found(tasks, plan) };
}

interface Publishing {
  readonly executor: Executor;
  readonly lock: DatasetLock;
  readonly shareBytes: number;
  readonly disk: Disk;
  readonly counter: TaskCounter;
}

/** Brings what tasks made into the dataset's folder, by tasks where it is more than one share; returns those files. */
async function publishAhead(
  plan: BuildPlan,
  { executor, lock, shareBytes, disk, counter }: Publishing,
): Promise<MadeFile[]> {
  const made: { task: Task; files: MadeFile[] }[] = [];
  for (const task of plan.stages.flatMap(({ tasks }) => tasks))
    made.push({ task, files: await publishedFiles(plan.work, task.key) });
  const tasks = planPublish({ made, lock: lock.id, shareBytes });
  if (tasks.length <= 1) for (const task of tasks) await publishShare({ plan, disk }, task);
  else {
    const whole: BuildPlan = { ...plan, stages: [...plan.stages, { name: "publish", tasks }] };
    await writeWhole(planPath(plan.work), JSON.stringify(whole));
    // all others were looked at
    await carryOut({ ...whole, stages: whole.stages.slice(-1) }, executor, eventsOf(whole, counter));
  }
  return made.flatMap(({ files }) => files);
}

function reportOf({ release, rejects, collections }: Manifest): BuildReport {
  const made = Object.values(collections);
  const runs = made.flatMap(({ runs }) => Object.values(runs).filter((run) => run !== undefined));
  return {
    release,
    rows: made.reduce((sum, { rows }) => sum + rows, 0),
    rejected: rejects.rows,
    reasons: rejects.reasons,
    partitions: runs.reduce((sum, run) => sum + run.partitions, 0),
    bytes: runs.reduce((sum, run) => sum + run.bytes, 0),
    collections: Object.entries(collections).map(([name, { rows, ignored_columns: ignoredColumns }]) => ({
      name,
      rows,
      ignoredColumns,
    })),
  };
}
