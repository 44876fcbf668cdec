/**
 * The plan of a build: stages of independent tasks. A task's key is a hash of its program and of all sources that it
 * may depend on. It names the folder of the task's output; a task with that folder does not run again. Without the
 * folder, `keepTask` may still reuse an earlier output for the same input content. @module
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CollectionName } from "../../../data/format/collections.ts";
import type { DerivedRunName, ManifestCollection } from "../../../data/format/manifest.ts";
import type { OwnSchema } from "../../../data/format/own-schema.ts";
import type { Level } from "../packs/index.ts";
import type { PlannedSource } from "../sources/index.ts";

/** Names of the stages of a build, in their order. */
export const STAGE_NAMES = [
  "scan",
  "duplicates",
  "tally",
  "survey",
  "number",
  "join",
  "duplicates_join",
  "tally_join",
  "survey_join",
  "number_join",
  "reduce",
  "ids",
  "terms",
  "derive",
  "index",
  "publish",
] as const;
export type StageName = (typeof STAGE_NAMES)[number];

interface Common {
  readonly key: string;
  readonly collection: CollectionName;
  /** Approximate memory need in bytes. If the task needs more, the executor finds out. Not part of the key. */
  readonly memoryBytes: number;
}

/** Reads and checks one source file, and writes its rows in the order of ids. */
export interface ScanTask extends Common {
  readonly stage: "scan";
  readonly source: PlannedSource;
}

/** Finds rows with duplicate ids, in one of several equal ranges of id hashes. */
export interface DuplicatesTask extends Common {
  readonly stage: "duplicates" | "duplicates_join";
  readonly share: number;
  readonly shares: number;
}

/** Counts the rows of a range of countries, or of a share of their cells. */
export interface TallyTask extends Common {
  readonly stage: "tally" | "tally_join";
  readonly first: string;
  readonly last: string;
  readonly share: number;
  readonly shares: number;
}

/**
 * Decides from counts and a sample of rows: the size of rows, where runs are cut, and the compression dictionary of
 * records.
 */
export interface SurveyTask extends Common {
  readonly stage: "survey" | "survey_join";
  readonly groups: readonly PlannedGroup[];
  readonly packBytes: number;
}

/** A range of countries whose rows are divided among several tasks. */
export interface PlannedGroup {
  readonly first: string;
  readonly last: string;
  readonly buckets: number;
}

/** Numbers the rows of a bucket of ids. */
export interface NumberTask extends Common {
  readonly stage: "number" | "number_join";
  readonly survey: string;
  readonly bucket: number;
}

/** The numbered rows of a collection: the output of the tasks of stage `number` with this survey. */
export interface NumberedRows {
  readonly survey: string;
  /** Buckets from `start` to `end` (exclusive): those of a group of countries. Default: all buckets. */
  readonly of?: readonly [start: number, end: number] | undefined;
}

/** Joins the places of a bucket with the buildings near them. */
export interface JoinTask extends Common {
  readonly stage: "join";
  readonly places: NumberedRows;
  readonly buildings: NumberedRows;
  readonly bucket: number;
}

/** Sorts and cuts a bucket of the location run, and writes its packs with their points and records. */
export interface ReduceTask extends Common, NumberedRows {
  readonly stage: "reduce";
  readonly bucket: number;
}

/** Writes the segments of a bucket of ids, with the addresses of their records. */
export interface IdsTask extends Common {
  readonly stage: "ids";
  readonly survey: string;
  /** Buckets of its group of countries, from `start` to `end` (exclusive). */
  readonly of: readonly [start: number, end: number];
  readonly bucket: number;
}

/** Makes the slices of the run `term` for a group of countries, or those for all countries together. */
export interface TermsTask extends Common, NumberedRows {
  readonly stage: "terms";
  readonly packBytes: number;
}

/** Makes a derived run, or one of several equal shares of it, from numbered rows of some collections. */
export interface DeriveTask extends Common {
  readonly stage: "derive";
  readonly run: Exclude<DerivedRunName, "term">;
  readonly share: number;
  readonly shares: number;
  readonly from: readonly DerivedFrom[];
  readonly packBytes: number;
  /** Only for the run `table`. */
  readonly table?: ColumnTableChoice;
}

/** A column table: the facet by which it is sorted, and its columns besides key, id and geometry. */
export type ColumnTableChoice = NonNullable<ManifestCollection["table"]>;

/** Writes the lowest index pages of a collection for the slices of some countries. */
export interface IndexTask extends Common {
  readonly stage: "index";
  readonly survey: string;
  /** Buckets of its countries, from `start` to `end` (exclusive). */
  readonly of: readonly [start: number, end: number];
  /** True for the one task of the collection that also has the slices of all countries together. */
  readonly hasWorldwide: boolean;
  readonly packBytes: number;
}

interface DerivedFrom extends NumberedRows {
  readonly collection: CollectionName;
}

/** Moves the output of other tasks into the dataset's folder, before a manifest refers to it. */
export interface PublishTask extends Common {
  readonly stage: "publish";
  /** Keys of the tasks whose output it moves. */
  readonly from: readonly string[];
  /** Id of the build's lock. If another build has the lock, the task moves nothing. */
  readonly lock: string;
}

export type Task =
  | ScanTask
  | DuplicatesTask
  | TallyTask
  | SurveyTask
  | NumberTask
  | JoinTask
  | ReduceTask
  | IdsTask
  | TermsTask
  | DeriveTask
  | IndexTask
  | PublishTask;

/** Tasks that can run at the same time, after those of the stages before. */
export interface Stage {
  readonly name: StageName;
  readonly tasks: readonly Task[];
}

export interface BuildPlan {
  /** Folder of checkpoints. */
  readonly work: string;
  /** Id of the build's lock. Workers of a killed build must not run tasks of the next one. */
  readonly build: string;
  /** Version of the program and its level, because a task's output depends on both. */
  readonly version: string;
  /** Folder of the dataset. */
  readonly dataset: string;
  /** File of the sources' country outlines. */
  readonly outlines: string;
  /** Memory limit of a machine, and of a single task, in bytes. */
  readonly memoryBytes: number;
  /** Threads of a task. */
  readonly threads: number;
  /**
   * Folder on a node's local disk; may contain environment variables, such as `$TMPDIR`. Default: next to the tasks.
   */
  readonly scratch?: string | undefined;
  /** Approximate maximum size of a pack in bytes; 0 for one file per slice. */
  readonly packBytes: number;
  /** Bytes of geometries after which a section of points ends. Default: 4,096 for addresses and segments, no limit for others. */
  readonly sectionBytes?: number | undefined;
  readonly level: Level;
  /** Schemas of collections that are not Overture's, by name. */
  readonly collections: Readonly<Record<CollectionName, { readonly schema: OwnSchema }>>;
  readonly stages: readonly Stage[];
}

type Stages = Pick<BuildPlan, "stages">;

/**
 * Returns the keys of the tasks that write the rows of a collection: its scans in the order of sources, or its joins.
 * Tasks do not list these keys, or the plan would grow with the square of its tasks.
 */
export function partTasks(plan: Stages, collection: CollectionName): string[] {
  return keysOf(plan, collection, ["scan", "join"]);
}

/** Returns the keys of the tasks that find a collection's duplicates. */
export function duplicatesTasks(plan: Stages, collection: CollectionName): string[] {
  return keysOf(plan, collection, ["duplicates", "duplicates_join"]);
}

/** Returns the keys of the tasks that count a collection's rows. */
export function tallyTasks(plan: Stages, collection: CollectionName): string[] {
  return keysOf(plan, collection, ["tally", "tally_join"]);
}

function keysOf({ stages }: Stages, wanted: CollectionName, names: readonly StageName[]): string[] {
  return stages
    .filter(({ name }) => names.includes(name))
    .flatMap(({ tasks }) => tasks.flatMap(({ collection, key }) => (collection === wanted ? [key] : [])));
}

/** Returns the keys of the tasks that number these rows, in the order of buckets. */
export function numberTasks({ stages }: Stages, { survey, of }: NumberedRows): string[] {
  const keys = stages.flatMap(({ tasks }) =>
    tasks.flatMap((task) => (isNumber(task) && task.survey === survey ? [task.key] : [])),
  );
  return of ? keys.slice(...of) : keys;
}

/** Returns the keys of the tasks that write the records of these rows, in the order of buckets. */
export function reduceTasks({ stages }: Stages, { survey, of }: NumberedRows): string[] {
  const keys = stages.flatMap(({ tasks }) =>
    tasks.flatMap((task) => (task.stage === "reduce" && task.survey === survey ? [task.key] : [])),
  );
  return of ? keys.slice(...of) : keys;
}

function isNumber(task: Task): task is NumberTask {
  return task.stage === "number" || task.stage === "number_join";
}

/** Returns the path of the plan in the work folder. */
export function planPath(work: string): string {
  return join(work, "plan.json");
}

/** Returns the plan in a file. Does not check it. */
export async function readPlan(path: string): Promise<BuildPlan> {
  return JSON.parse(await readFile(path, "utf8")) as BuildPlan;
}

/** Returns the key of a task: 32 hexadecimal digits of a hash of the parts. */
export function keyOfTask(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
