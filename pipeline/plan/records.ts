/**
 * What finished tasks made. A task writes into a folder that is renamed when it is whole; of two attempts at a task
 * one is as good as the other. @module
 */
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { DISK, eachFile, filesBelow, foldersTo, hashFile, readOptional } from "../disk/index.ts";
import type { BuildPlan, StageName, Task } from "./build-plan.ts";

const RECORD_FILE = "record.json";

export interface MadeFile {
  readonly path: string;
  readonly bytes: number;
}

export interface TaskRecord<Facts = unknown> {
  readonly key: string;
  readonly files: readonly MadeFile[];
  /** Its stage knows the type. */
  readonly facts: Facts;
}

export function tasksFolder(work: string): string {
  return join(work, "tasks");
}

export function taskFolder(work: string, key: string): string {
  return join(tasksFolder(work), key);
}

/** Holds tasks that are running, or were killed. */
export function attemptsFolder(work: string): string {
  return join(work, "attempts");
}

/** Undefined when the task is not finished, or the disk lost the record. */
export async function readRecord<Facts>(work: string, key: string): Promise<TaskRecord<Facts> | undefined> {
  const text = await readOptional(join(taskFolder(work, key), RECORD_FILE));
  try {
    return text === undefined ? undefined : (JSON.parse(text) as TaskRecord<Facts>);
  } catch {
    return undefined;
  }
}

export async function readFacts<Facts>(work: string, key: string): Promise<Facts> {
  const record = await readRecord<Facts>(work, key);
  if (!record) throw new Error(`task ${key} is not finished, and another needs it`);
  return record.facts;
}

/** Runs the task in a new folder, and renames that when it is done; where a draft is named, it is made there and copied. */
export async function commitTask(
  work: string,
  { key }: Task,
  { draft, make }: { draft?: string | undefined; make: (folder: string) => Promise<unknown> },
): Promise<void> {
  for (const folder of [attemptsFolder(work), tasksFolder(work)]) await mkdir(folder, { recursive: true });
  const attempt = await mkdtemp(join(attemptsFolder(work), `${key}-`));
  try {
    const facts = await make(draft ?? attempt);
    if (draft !== undefined) await cp(draft, attempt, { recursive: true });
    const files = await syncFiles(attempt);
    const record: TaskRecord = { key, files, facts };
    await writeFile(join(attempt, RECORD_FILE), JSON.stringify(record));
    await DISK.syncFile(join(attempt, RECORD_FILE));
    for (const folder of new Set([RECORD_FILE, ...files.map(({ path }) => path)].flatMap(foldersTo)))
      await DISK.syncFolder(join(attempt, folder));
    await rename(attempt, taskFolder(work, key)).catch((error: NodeJS.ErrnoException) => {
      // another attempt was first
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
    await DISK.syncFolder(tasksFolder(work));
  } finally {
    await rm(attempt, { recursive: true, force: true });
  }
}

async function syncFiles(folder: string): Promise<MadeFile[]> {
  return eachFile(await filesBelow(folder), async (path) => {
    await DISK.syncFile(join(folder, path));
    return { path, bytes: (await stat(join(folder, path))).size };
  });
}

export interface PendingStage {
  readonly name: StageName;
  /** With their places in the stage. */
  readonly tasks: readonly { readonly index: number; readonly task: Task }[];
}

/** Stages with tasks to carry out; what is left of damaged ones is removed. */
export async function pendingStages(plan: BuildPlan): Promise<PendingStage[]> {
  const pending: PendingStage[] = [];
  for (const { name, tasks } of plan.stages) {
    const missing: { index: number; task: Task }[] = [];
    for (const [index, task] of tasks.entries()) if (!(await isFinished(plan, task))) missing.push({ index, task });
    if (missing.length > 0) pending.push({ name, tasks: missing });
  }
  return pending;
}

async function isFinished(plan: BuildPlan, { key }: Task): Promise<boolean> {
  const record = await readRecord(plan.work, key);
  const areSound = record && (await eachFile(record.files, (file) => isSound(plan, key, file)));
  if (areSound?.every(Boolean)) return true;
  // even without a record: the new folder could not take its name
  await rm(taskFolder(plan.work, key), { recursive: true, force: true });
  return false;
}

async function isSound(plan: BuildPlan, key: string, { path, bytes }: MadeFile): Promise<boolean> {
  if ((await sizeOf(join(taskFolder(plan.work, key), path))) === bytes) return true;
  // partitions move to the dataset when published; others may have changed them there
  const published = join(plan.dataset, path);
  if ((await sizeOf(published)) !== bytes) return false;
  return (await hashFile(published)).startsWith(basename(path).split(".")[0] ?? "");
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}

export async function removeOtherTasks({ work, stages }: BuildPlan): Promise<void> {
  const keys = new Set(stages.flatMap(({ tasks }) => tasks.map(({ key }) => key)));
  for (const name of await readdir(tasksFolder(work))) {
    if (!keys.has(name)) await rm(join(tasksFolder(work), name), { recursive: true });
  }
}
