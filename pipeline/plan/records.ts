/**
 * What finished tasks made. A task writes into a folder that is renamed when it is whole; of two attempts at a task
 * one is as good as the other. @module
 */
import { cp, link, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isCollectionName } from "../../data/format/collections.ts";
import { DISK, eachFile, exists, filesBelow, foldersTo, hashFile, makeFolder, readOptional } from "../disk/index.ts";
import type { BuildPlan, StageName, Task } from "./build-plan.ts";

const RECORD_FILE = "record.json";

export interface MadeFile {
  readonly path: string;
  readonly bytes: number;
}

export interface TaskRecord<Facts = unknown> {
  readonly key: string;
  /** A hash of all that reached it, where that is known. */
  readonly content?: string;
  /** The key of the task that made what it has, where the content was that of an earlier one. */
  readonly keptFrom?: string;
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

/** Has a file for the content of each finished task whose content is known: the task's key. */
function contentsFolder(work: string): string {
  return join(work, "contents");
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

/** Files of the dataset among those that the task made. */
export async function publishedFiles(work: string, key: string): Promise<MadeFile[]> {
  const files = (await readRecord(work, key))?.files ?? [];
  return files.filter(({ path }) => isCollectionName(path.split("/")[0] ?? ""));
}

export async function readFacts<Facts>(work: string, key: string): Promise<Facts> {
  const record = await readRecord<Facts>(work, key);
  if (!record) throw new Error(`task ${key} is not finished, and another needs it`);
  return record.facts;
}

interface Making {
  readonly content: string | undefined;
  /** Where it is made, and copied from, in place of its folder. */
  readonly draft?: string | undefined;
  readonly make: (folder: string) => Promise<unknown>;
}

/** Runs the task in a new folder, and renames that when it is done. */
export async function commitTask(work: string, { key }: Task, { content, draft, make }: Making): Promise<void> {
  await commit(work, key, async (attempt) => {
    const facts = await make(draft ?? attempt);
    if (draft !== undefined) await cp(draft, attempt, { recursive: true });
    const files = await syncFiles(attempt);
    return { key, files, facts, ...(content === undefined ? {} : { content }) };
  });
}

/** Takes what an earlier task of the same content made, when all of it is there; returns whether it is. */
export async function keepTask(plan: BuildPlan, { key }: Task, content: string): Promise<boolean> {
  const { work } = plan;
  const from = await readOptional(join(contentsFolder(work), content));
  const record = from === undefined ? undefined : await readRecord(work, from);
  if (!record || from === undefined || !(await areSound(plan, record))) return false;
  await commit(work, key, async (attempt) => {
    for (const { path } of record.files) {
      const made = join(taskFolder(work, from), path);
      // packs stand in the dataset since they were published
      if (!(await exists(made))) continue;
      await makeFolder(dirname(join(attempt, path)));
      await link(made, join(attempt, path)).catch(async () => {
        await cp(made, join(attempt, path));
        await DISK.syncFile(join(attempt, path));
      });
    }
    return { ...record, key, content, keptFrom: from };
  });
  return true;
}

async function commit(work: string, key: string, fill: (attempt: string) => Promise<TaskRecord>): Promise<void> {
  for (const folder of [attemptsFolder(work), tasksFolder(work)]) await makeFolder(folder);
  const attempt = await mkdtemp(join(attemptsFolder(work), `${key}-`));
  try {
    const record = await fill(attempt);
    await writeFile(join(attempt, RECORD_FILE), JSON.stringify(record));
    await DISK.syncFile(join(attempt, RECORD_FILE));
    for (const folder of new Set([RECORD_FILE, ...(await filesBelow(attempt))].flatMap(foldersTo)))
      await DISK.syncFolder(join(attempt, folder));
    await rename(attempt, taskFolder(work, key)).catch((error: NodeJS.ErrnoException) => {
      // another attempt was first
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
    await DISK.syncFolder(tasksFolder(work));
    if (record.content !== undefined) await writeContent(work, record.content, key);
  } finally {
    await rm(attempt, { recursive: true, force: true });
  }
}

/** Tasks of the same content may write at the same time. */
async function writeContent(work: string, content: string, key: string): Promise<void> {
  await makeFolder(contentsFolder(work));
  const path = join(contentsFolder(work), content);
  await writeFile(`${path}.${key}`, key);
  await rename(`${path}.${key}`, path);
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

/**
 * Stages with tasks to carry out; what is left of damaged ones is removed. `finished` are keys of tasks that need no other
 * look, which reads all that they made; those found whole are put to them.
 */
export async function pendingStages(plan: BuildPlan, finished: Set<string>): Promise<PendingStage[]> {
  const pending: PendingStage[] = [];
  for (const { name, tasks } of plan.stages) {
    const missing: { index: number; task: Task }[] = [];
    for (const [index, task] of tasks.entries()) {
      if (finished.has(task.key)) continue;
      if (await isFinished(plan, task)) finished.add(task.key);
      else missing.push({ index, task });
    }
    if (missing.length > 0) pending.push({ name, tasks: missing });
  }
  return pending;
}

async function isFinished(plan: BuildPlan, { key }: Task): Promise<boolean> {
  const record = await readRecord(plan.work, key);
  if (record && (await areSound(plan, record))) return true;
  // even without a record: the new folder could not take its name
  await rm(taskFolder(plan.work, key), { recursive: true, force: true });
  return false;
}

async function areSound(plan: BuildPlan, { key, files }: TaskRecord): Promise<boolean> {
  return (await eachFile(files, (file) => isSound(plan, key, file))).every(Boolean);
}

async function isSound(plan: BuildPlan, key: string, { path, bytes }: MadeFile): Promise<boolean> {
  if ((await sizeOf(join(taskFolder(plan.work, key), path))) === bytes) return true;
  // partitions move to the dataset when published; others may have changed them there
  const published = join(plan.dataset, path);
  if ((await sizeOf(published)) !== bytes) return false;
  return (await hashFile(published)).startsWith(basename(path).split(".")[0] ?? "");
}

/** Undefined where there is no such file. */
export async function sizeOf(path: string): Promise<number | undefined> {
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
  for (const content of await readdir(contentsFolder(work)).catch(() => [])) {
    const path = join(contentsFolder(work), content);
    if (!keys.has(await readFile(path, "utf8"))) await rm(path);
  }
}
