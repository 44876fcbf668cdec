import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import type { CollectionName, OvertureType } from "../../../data/format/collections.ts";
import { type Attribution, type Manifest, PACK_BYTES } from "../../../data/format/manifest.ts";
import { readManifestFile } from "../../../data/format/manifest-file.ts";
import type { OwnSchema } from "../../../data/format/own-schema.ts";
import { MANIFEST_PATH } from "../../../data/format/paths.ts";
import { type Database, defaultMemory, duckdbBytes, openDatabase } from "../../base/database/index.ts";
import {
  type DatasetLock,
  DISK,
  type Disk,
  explainFullDisk,
  filesBelow,
  lockDataset,
  makeFolder,
  writeWhole,
} from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { AskedArea } from "../../overture/area/index.ts";
import { writeOutlines } from "../country/index.ts";
import { carryOut, type Executor, localExecutor, type TaskEvents } from "../execute/index.ts";
import {
  attemptsFolder,
  type BuildPlan,
  buildFolder,
  buildsFolder,
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
import { finish } from "../publish/finish.ts";
import { publish, refuseStrangeFolder } from "../publish/publish.ts";
import { type AllowedLosses, refuseEmptiedBy, refuseLosses } from "../publish/refuse-losses.ts";
import {
  findSources,
  measureSources,
  reachSources,
  releaseOfExtracts,
  type SourceFile,
  type TypedSource,
  typeSources,
} from "../sources/index.ts";
import { publishShare, readCountries } from "../stages/index.ts";
import { type TableOptions, type TableReport, writeOwnTable } from "../tables/index.ts";
import { type AskedColumnTable, columnTablesOf } from "./column-tables.ts";
import { type CounterOptions, createTaskCounter, type TaskCounter } from "./task-counter.ts";
import { nothingTaken, withTypes, writeAreaFile } from "./wanted.ts";

/** Large enough to justify a process, small enough to sort in memory. */
const TASK_ROWS = 1_000_000;

/** Smaller outputs are published by this process: a disk copies this much in about a minute. */
const SHARE_BYTES = 16 * 2 ** 30;

/** Every release has some invalid rows. A column that changed its type would reject all of them. */
const MOST_REJECTS = 0.01;

export const FULL_DISK_ADVICE =
  "finished work is saved: free disk space and build again, or set --temp to a folder on a larger disk";

export interface BuildOptions {
  readonly sources: readonly string[];
  /** Folder of the dataset. The dataset in it is replaced when the build is complete. */
  readonly out: string;
  /** Default: the release of the extracts, or a hash of the content. */
  readonly release?: string | undefined;
  /** Rows outside of the area are left out. */
  readonly area?: AskedArea | undefined;
  /** Sources of other types are left out. */
  readonly types?: readonly OvertureType[] | undefined;
  /** Memory limit per machine, in bytes. Default: a quarter of its memory. */
  readonly memoryBytes?: number | undefined;
  /** Threads per task. Default: the machine's threads divided by the number of parallel tasks. */
  readonly threads?: number | undefined;
  /** Folder for checkpoints and sorting. Default: next to the dataset. */
  readonly temp?: string | undefined;
  /** Folder on a node's local disk for sorting and unfinished files. May start with a variable, as `$TMPDIR`. */
  readonly scratch?: string | undefined;
  /** Approximate number of rows that a task sorts. The dataset does not depend on it. */
  readonly taskRows?: number | undefined;
  /** Approximate bytes of files that a task publishes. Fewer are published by this process. */
  readonly shareBytes?: number | undefined;
  /** Approximate maximum size of a pack in bytes; 0 writes one file per slice. */
  readonly packBytes?: number | undefined;
  /** Bytes of geometries after which a section of points ends. Default: 4,096 for addresses and segments, no limit for others. */
  readonly sectionBytes?: number | undefined;
  /** Compression of the primary copy. Default: `small`. */
  readonly level?: BuildPlan["level"] | undefined;
  /**
   * Approximate rows of the countries whose index pages one task writes. Default: 128 million. It decides which
   * slices share a page.
   */
  readonly indexRows?: number | undefined;
  /** Share of a collection's records that may be rejected, 0 to 1. More are an error. Default: 0.01. */
  readonly mostRejects?: number | undefined;
  /**
   * Types whose collections must not become empty. Default: `types`. Downloaded sources have no file for a type without
   * rows.
   */
  readonly wantedTypes?: readonly OvertureType[] | undefined;
  /** Allows a wanted collection of the existing dataset to become empty. */
  readonly allowEmpty?: boolean | undefined;
  /** How files that are not in Overture's schema are read. Each becomes a collection of its own. */
  readonly table?: TableOptions | undefined;
  /** Collections for which a column table is made. An empty list of columns stands for the default columns. */
  readonly columnTables?: readonly AskedColumnTable[] | undefined;
  readonly onTable?: ((report: TableReport) => void) | undefined;
  readonly executor?: Executor | undefined;
  /** Keeps checkpoints after a complete build, so that the next build only repeats what changed. */
  readonly keep?: boolean | undefined;
  /** Removes the checkpoints of earlier builds first. */
  readonly force?: boolean | undefined;
  readonly onProgress?: CounterOptions["onProgress"];
  readonly onStage?: CounterOptions["onStage"];
  readonly onWait?: ((message: string) => void) | undefined;
  readonly disk?: Disk | undefined;
}

/** What a build wrote: numbers of rows, slices and bytes, and rejected rows by reason. */
export interface BuildReport {
  readonly release: string;
  readonly rows: number;
  readonly rejected: number;
  readonly reasons: Readonly<Record<string, number>>;
  readonly partitions: number;
  readonly bytes: number;
  readonly collections: readonly BuiltCollection[];
}

interface BuiltCollection {
  readonly name: string;
  readonly rows: number;
  /** Columns of the sources that the collection does not have. */
  readonly ignoredColumns: readonly string[];
}

/**
 * Builds a dataset, and returns figures about it. If it throws, the folder still has the old dataset, and the next
 * build continues from the checkpoints.
 */
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
    for (const left of options.force ? [work] : [attemptsFolder(work), buildsFolder(work)])
      await rm(left, { recursive: true, force: true });
    await makeFolder(attemptsFolder(work));
    const manifest = await makeDataset({ ...options, release }, { files, dataset, work, lock });
    if (!options.keep) await rm(work, { recursive: true });
    return reportOf(manifest);
  } catch (error) {
    // The build that took over the lock removes files that this one misses.
    await lock.assertHeld();
    throw explainFullDisk(error, work, FULL_DISK_ADVICE);
  } finally {
    await lock.release();
  }
}

function workFolder(dataset: string, temp: string | undefined): string {
  if (temp === undefined) return join(dirname(dataset), `${basename(dataset)}.build`);
  return join(resolve(temp), `cairn-${createHash("sha256").update(dataset).digest("hex").slice(0, 12)}`);
}

function scratchFolder(scratch: string | undefined): string | undefined {
  return scratch === undefined || scratch.startsWith("$") ? scratch : resolve(scratch);
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
    const { typed, tables: found } = await typeSources(database, files, {
      areTables: options.table?.name !== undefined,
    });
    const own = await writeTables(database, found, {
      folder: join(work, "tables"),
      options: options.table ?? {},
      schemaBefore: await schemasAt(dataset),
    });
    const stated = typed.map((source) => ({ ...source, crs: options.table?.crs }));
    const areas = stated.filter(({ type }) => type === "division_area");
    const area = options.area && (await writeAreaFile(database, options.area, { areas, work }));
    const measured = await measureSources(database, [...withTypes(stated, options.types), ...own.sources]);
    const sources = area ? measured.map((source) => ({ ...source, area })) : measured;
    const outlines = await writeOutlines(database, areas, work);
    const { packBytes = PACK_BYTES, sectionBytes, level = "small" } = options;
    const version = `${await programVersion()} ${level}${sectionBytes === undefined ? "" : ` ${sectionBytes}`}`;
    const inputs = { sources, version, outlines: outlines.sha256 };
    const limits = { memoryBytes, threads, packBytes, sectionBytes, level, scratch: scratchFolder(options.scratch) };
    const collections = own.collections;
    const tables = columnTablesOf(options.columnTables ?? [], { collections, built: collectionsOf(sources) });
    const common = {
      work,
      build: lock.id,
      version: inputs.version,
      dataset,
      outlines: outlines.path,
      collections,
      ...limits,
    };
    const allowed = allowedLosses(options);
    const scans: BuildPlan = { ...common, stages: [{ name: "scan", tasks: planScans(inputs) }] };
    for (const report of own.reports) options.onTable?.(report);
    counter.ended("sources", files.length);
    await carryOutPlan(scans, executor, counter);
    // Fail early: the following stages take most of the time.
    const taken = await refuseLosses(database, scans, allowed);
    if (!allowed.allowEmpty && taken.rows === 0)
      throw new CodedError("CAIRN_E_EMPTY", nothingTaken(options.area, taken.rejects));
    const countriesOf = await readCountries(scans);
    const { taskRows = TASK_ROWS, indexRows } = options;
    const stages = makeStages({ ...inputs, taskRows, indexRows, packBytes, countriesOf, tables });
    const plan: BuildPlan = { ...common, stages };
    await carryOutPlan(plan, executor, counter);
    const folder = join(buildFolder(plan), "finish");
    const manifest = await finish(database, {
      ...{ plan, files, folder },
      release: options.release,
      attribution: own.attribution,
    });
    await refuseEmptiedBy(manifest, plan, allowed);
    const { shareBytes = SHARE_BYTES, disk = DISK } = options;
    const published = await publishAhead(plan, { executor, lock, shareBytes, disk, counter });
    const others = (await filesBelow(folder)).map((path) => ({ path, made: join(folder, path) }));
    await publish({ published, others }, { dataset, disk, assertHeld: lock.assertHeld });
    await removeOtherTasks(plan);
    counter.ended("dataset", published.length + others.length);
    return manifest;
  } finally {
    database.close();
    await executor.end?.();
  }
}

/** The collections that these sources give. */
function collectionsOf(sources: readonly { readonly type: CollectionName }[]): Set<CollectionName> {
  const types = new Set<CollectionName>(sources.map(({ type }) => type));
  if (types.has("place") && types.has("building")) types.add("place_building");
  return types;
}

interface OwnSources {
  readonly sources: readonly TypedSource[];
  readonly collections: Readonly<Record<CollectionName, { readonly schema: OwnSchema }>>;
  readonly reports: readonly TableReport[];
  readonly attribution: readonly Attribution[];
}

/** Schemas of the dataset that is replaced, by collection. Empty if there is none that can be read. */
async function schemasAt(dataset: string): Promise<(name: CollectionName) => OwnSchema | undefined> {
  const manifest = await readFile(join(dataset, MANIFEST_PATH))
    .then((bytes) => readManifestFile(bytes))
    .catch(() => undefined);
  return (name) => manifest?.collections[name]?.schema;
}

interface WritingTables {
  readonly folder: string;
  readonly options: TableOptions;
  readonly schemaBefore: (name: CollectionName) => OwnSchema | undefined;
}

/** Writes the rows of tables as sources of collections of their own. */
async function writeTables(
  database: Database,
  tables: readonly (SourceFile & { readonly index: number })[],
  { folder, options, schemaBefore }: WritingTables,
): Promise<OwnSources> {
  const sources: TypedSource[] = [];
  const collections: Record<CollectionName, { readonly schema: OwnSchema }> = {};
  const reports: TableReport[] = [];
  const credits: Attribution[] = [];
  for (const table of tables) {
    const { name, schema, path, rejects, attribution, report } = await writeOwnTable(database, {
      file: table.path,
      folder,
      options,
      schemaBefore,
    });
    if (name in collections)
      throw new CodedError(
        "CAIRN_E_SOURCE",
        `${table.path}: two tables would be the collection ${name}; build them into datasets of their own, or rename a file`,
      );
    collections[name] = { schema };
    sources.push({ ...table, path, rejects, format: "parquet", type: name });
    reports.push(report);
    credits.push(...attribution);
  }
  return { sources, collections, reports, attribution: credits };
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

/** Moves task output to the dataset's folder and returns those files. Uses tasks if there is more than one share. */
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
    // The other stages are already complete.
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
