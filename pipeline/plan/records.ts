/**
 * What finished tasks made. A task writes into a folder of its own, which gets its name in one step: it is there whole
 * or not at all, and of two attempts at a task one is as good as the other.
 * @module
 */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { DISK, eachFile, filesBelow, foldersTo, hashFile } from "../disk/index.ts";
import type { BuildPlan, StageName, Task } from "./build-plan.ts";

const RECORD_FILE = "record.json";

export interface MadeFile {
  /** Path below the task's folder. */
  readonly path: string;
  readonly bytes: number;
}

export interface TaskRecord<Facts = unknown> {
  readonly key: string;
  readonly files: readonly MadeFile[];
  /** What the task found out: its stage knows the form. */
  readonly facts: Facts;
}

/** The folder that holds the folders of finished tasks. */
export function tasksFolder(work: string): string {
  return join(work, "tasks");
}

/** The folder that a finished task's files are in. */
export function taskFolder(work: string, key: string): string {
  return join(tasksFolder(work), key);
}

/** The folder of tasks that are being carried out, or were cut off. */
export function attemptsFolder(work: string): string {
  return join(work, "attempts");
}

/** The record of a finished task; undefined when it is not finished, or when the disk lost the record. */
export async function readRecord<Facts>(work: string, key: string): Promise<TaskRecord<Facts> | undefined> {
  const text = await readFile(join(taskFolder(work, key), RECORD_FILE), "utf8").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    },
  );
  return text === undefined ? undefined : parseRecord<Facts>(text);
}

function parseRecord<Facts>(text: string): TaskRecord<Facts> | undefined {
  try {
    return JSON.parse(text) as TaskRecord<Facts>;
  } catch {
    return undefined;
  }
}

/** The facts that a finished task found. Throws when it is not finished. */
export async function readFacts<Facts>(work: string, key: string): Promise<Facts> {
  const record = await readRecord<Facts>(work, key);
  if (!record) throw new Error(`task ${key} is not finished, and another needs it`);
  return record.facts;
}

/** Runs the task in a new folder, and gives the folder its name when it is done. */
export async function commitTask(
  work: string,
  { key }: Task,
  make: (folder: string) => Promise<unknown>,
): Promise<void> {
  for (const folder of [attemptsFolder(work), tasksFolder(work)]) await mkdir(folder, { recursive: true });
  const attempt = await mkdtemp(join(attemptsFolder(work), `${key}-`));
  try {
    const facts = await make(attempt);
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

/** Has the files on the disk before the folder gets its name. */
async function syncFiles(folder: string): Promise<MadeFile[]> {
  return eachFile(await filesBelow(folder), async (path) => {
    await DISK.syncFile(join(folder, path));
    return { path, bytes: (await stat(join(folder, path))).size };
  });
}

/** A stage with the places of tasks that are still to be carried out. */
export interface PendingStage {
  readonly name: StageName;
  readonly missing: readonly number[];
}

/** Stages with tasks to carry out, in order; what is left of damaged ones is removed. */
export async function pendingStages(plan: BuildPlan): Promise<PendingStage[]> {
  const pending: PendingStage[] = [];
  for (const { name, tasks } of plan.stages) {
    const missing: number[] = [];
    for (const [index, task] of tasks.entries()) if (!(await isFinished(plan, task))) missing.push(index);
    if (missing.length > 0) pending.push({ name, missing });
  }
  return pending;
}

async function isFinished(plan: BuildPlan, { key }: Task): Promise<boolean> {
  const record = await readRecord(plan.work, key);
  const areSound = record && (await eachFile(record.files, (file) => isSound(plan, key, file)));
  if (areSound?.every(Boolean)) return true;
  // a folder without its record too: the task that is done again could not take its name
  await rm(taskFolder(plan.work, key), { recursive: true, force: true });
  return false;
}

async function isSound(plan: BuildPlan, key: string, { path, bytes }: MadeFile): Promise<boolean> {
  if ((await sizeOf(join(taskFolder(plan.work, key), path))) === bytes) return true;
  // the dataset is open to others: its files must be what their names say
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

/** Removes the folders of tasks that are not in the plan. */
export async function removeOtherTasks({ work, stages }: BuildPlan): Promise<void> {
  const keys = new Set(stages.flatMap(({ tasks }) => tasks.map(({ key }) => key)));
  for (const name of await readdir(tasksFolder(work))) {
    if (!keys.has(name)) await rm(join(tasksFolder(work), name), { recursive: true });
  }
}
