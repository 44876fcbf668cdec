/**
 * What a build does: stages of tasks that do not depend on each other. A task's key is a hash of its program and of all
 * sources it may depend on, and names the folder of what it makes; a task whose folder is there need not be run again. One
 * whose folder is not there may still be kept, by the content that reaches it: `keepTask`. @module
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CollectionName } from "../../data/format/collections.ts";
import type { TableRunName } from "../../data/format/manifest.ts";
import type { Level } from "../packs/index.ts";
import type { PlannedSource } from "../sources/index.ts";

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
  "terms",
  "derive",
  "index",
  "publish",
] as const;
export type StageName = (typeof STAGE_NAMES)[number];

interface Common {
  readonly key: string;
  readonly collection: CollectionName;
  /** What it needs, about; that it needs more is seen when it is carried out. No part of its key. */
  readonly memoryBytes: number;
}

/** Normalises one source file, and writes its rows in the order of ids. */
export interface ScanTask extends Common {
  readonly stage: "scan";
  readonly source: PlannedSource;
}

/** Finds which rows of the same id to leave out, in one of the equal ranges of the hashes of ids. */
export interface DuplicatesTask extends Common {
  readonly stage: "duplicates" | "duplicates_join";
  readonly share: number;
  readonly shares: number;
}

/** Counts the rows of the countries from the first to the last, or of a share of their cells. */
export interface TallyTask extends Common {
  readonly stage: "tally" | "tally_join";
  readonly first: string;
  readonly last: string;
  readonly share: number;
  readonly shares: number;
}

/** Decides from what was counted, and from a sample of rows: their size, where runs are cut, what records are compressed with. */
export interface SurveyTask extends Common {
  readonly stage: "survey" | "survey_join";
  readonly groups: readonly PlannedGroup[];
  readonly packBytes: number;
}

/** Countries from the first to the last, whose rows are shared out to so many tasks. */
export interface PlannedGroup {
  readonly first: string;
  readonly last: string;
  readonly buckets: number;
}

/** Writes the records of a bucket of the collection, which gives its rows their numbers. */
export interface NumberTask extends Common {
  readonly stage: "number" | "number_join";
  readonly survey: string;
  readonly bucket: number;
}

/** Rows of a collection and their numbers, which tasks of the same survey gave them: `numberTasks`. */
export interface NumberedRows {
  readonly survey: string;
  /** Of which buckets, the end exclusive: those of a group of countries. All when left out. */
  readonly of?: readonly [start: number, end: number] | undefined;
}

/** Joins a share of the places with the buildings near them. */
export interface JoinTask extends Common {
  readonly stage: "join";
  readonly places: NumberedRows;
  readonly buildings: NumberedRows;
  readonly bucket: number;
}

/** Sorts a bucket of the location run, cuts it, and writes its packs, and the points beside them. */
export interface ReduceTask extends Common, NumberedRows {
  readonly stage: "reduce";
  readonly bucket: number;
}

/** Makes the term run of a group of countries, or the terms over all countries. */
export interface TermsTask extends Common, NumberedRows {
  readonly stage: "terms";
  readonly packBytes: number;
}

/** Makes a run from all rows of some collections, or one of the equal shares of its keys. */
export interface DeriveTask extends Common {
  readonly stage: "derive";
  readonly run: TableRunName;
  readonly share: number;
  readonly shares: number;
  readonly from: readonly DerivedFrom[];
  readonly packBytes: number;
}

/** Writes the index's pages of the partitions of some countries. */
export interface IndexTask extends Common {
  readonly stage: "index";
  readonly survey: string;
  /** Buckets of its countries, the end exclusive. */
  readonly of: readonly [start: number, end: number];
  /** Whether it has the partitions over all countries too; one of the collection's tasks does. */
  readonly hasWorldwide: boolean;
  readonly packBytes: number;
}

export interface DerivedFrom extends NumberedRows {
  readonly collection: CollectionName;
}

/** Brings what other tasks made into the dataset's folder, before a manifest names it. */
export interface PublishTask extends Common {
  readonly stage: "publish";
  /** Keys of those tasks. */
  readonly from: readonly string[];
  /** The id of the lock that the build has: where it is another's, nothing is brought. */
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
  | TermsTask
  | DeriveTask
  | IndexTask
  | PublishTask;

export interface Stage {
  readonly name: StageName;
  readonly tasks: readonly Task[];
}

export interface BuildPlan {
  readonly work: string;
  /** The program's, with the level: a task's result depends on both. */
  readonly version: string;
  /** The dataset's folder. */
  readonly dataset: string;
  /** File of the sources' country outlines. */
  readonly outlines: string;
  /** The most that a task may take. */
  readonly memoryBytes: number;
  readonly threads: number;
  /** Folder of a node's own disk; may name variables of its environment, as `$TMPDIR`. Beside the tasks when left out. */
  readonly scratch?: string | undefined;
  /** Largest size of a pack, about; 0 for a file for each slice. */
  readonly packBytes: number;
  readonly level: Level;
  readonly stages: readonly Stage[];
}

type Stages = Pick<BuildPlan, "stages">;

/** Keys of the tasks that wrote the collection's rows, in the order of sources; no task lists keys of many others, or a plan would grow with the square of its tasks. */
export function partTasks(plan: Stages, collection: CollectionName): string[] {
  return keysOf(plan, collection, ["scan", "join"]);
}

export function duplicatesTasks(plan: Stages, collection: CollectionName): string[] {
  return keysOf(plan, collection, ["duplicates", "duplicates_join"]);
}

export function tallyTasks(plan: Stages, collection: CollectionName): string[] {
  return keysOf(plan, collection, ["tally", "tally_join"]);
}

function keysOf({ stages }: Stages, wanted: CollectionName, names: readonly StageName[]): string[] {
  return stages
    .filter(({ name }) => names.includes(name))
    .flatMap(({ tasks }) => tasks.flatMap(({ collection, key }) => (collection === wanted ? [key] : [])));
}

/** Keys of the tasks that numbered the rows, in the order of buckets. */
export function numberTasks({ stages }: Stages, { survey, of }: NumberedRows): string[] {
  const keys = stages.flatMap(({ tasks }) =>
    tasks.flatMap((task) => (isNumber(task) && task.survey === survey ? [task.key] : [])),
  );
  return of ? keys.slice(...of) : keys;
}

function isNumber(task: Task): task is NumberTask {
  return task.stage === "number" || task.stage === "number_join";
}

export function planPath(work: string): string {
  return join(work, "plan.json");
}

export async function readPlan(path: string): Promise<BuildPlan> {
  return JSON.parse(await readFile(path, "utf8")) as BuildPlan;
}

export function keyOfTask(...parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
