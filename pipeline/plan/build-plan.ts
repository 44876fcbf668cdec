/**
 * What a build does: stages of tasks that do not depend on each other. A task's key is a hash of its program and
 * inputs, and names the folder of what it makes; a task whose folder is there need not be run again. @module
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CollectionName } from "../../data/format/collections.ts";
import type { RunName, TermRunName } from "../../data/format/manifest.ts";
import type { PlannedSource } from "../sources/index.ts";

export const STAGE_NAMES = ["scan", "survey", "join", "survey_join", "reduce", "terms", "derive"] as const;
export type StageName = (typeof STAGE_NAMES)[number];

interface Common {
  readonly key: string;
  readonly collection: CollectionName;
}

/** Normalises one source file, and writes its rows in both orders. */
export interface ScanTask extends Common {
  readonly stage: "scan";
  readonly source: PlannedSource;
}

/** Looks over all parts of a collection: duplicates, the size of partitions, where runs are cut. */
export interface SurveyTask extends Common {
  readonly stage: "survey" | "survey_join";
  /** Keys of the tasks that wrote the collection's rows, in the order of sources. */
  readonly parts: readonly string[];
  readonly buckets: number;
}

/** Joins a share of the places with the buildings near them. */
export interface JoinTask extends Common {
  readonly stage: "join";
  /** Keys of the surveys of places and of buildings. */
  readonly places: string;
  readonly buildings: string;
  readonly bucket: number;
}

/** Sorts a bucket of a run, cuts it, and writes its partitions. */
export interface ReduceTask extends Common {
  readonly stage: "reduce";
  readonly survey: string;
  readonly run: RunName;
  readonly bucket: number;
}

/** Makes the term run of some countries. */
export interface TermsTask extends Common {
  readonly stage: "terms";
  readonly survey: string;
  readonly bucket: number;
  readonly buckets: number;
}

/** Makes a run from all rows of some collections. */
export interface DeriveTask extends Common {
  readonly stage: "derive";
  readonly run: TermRunName;
  readonly from: readonly DerivedFrom[];
}

export interface DerivedFrom {
  readonly collection: CollectionName;
  readonly survey: string;
}

export type Task = ScanTask | SurveyTask | JoinTask | ReduceTask | TermsTask | DeriveTask;

export interface Stage {
  readonly name: StageName;
  readonly tasks: readonly Task[];
}

export interface BuildPlan {
  readonly work: string;
  /** The dataset's folder. */
  readonly dataset: string;
  /** File of the sources' country outlines. */
  readonly outlines: string;
  readonly memoryBytes: number;
  readonly threads: number;
  readonly stages: readonly Stage[];
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
