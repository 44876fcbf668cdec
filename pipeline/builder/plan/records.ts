/**
 * The output of tasks in the work folder. A task writes into a temporary folder, which is renamed when complete. Two
 * attempts at a task give equal output.
 * @module
 */
import { cp, link, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isCollectionFolder } from "../../../data/format/own-collections.ts";
import {
  DISK,
  eachFile,
  exists,
  filesBelow,
  foldersTo,
  hashFile,
  makeFolder,
  readOptional,
} from "../../base/disk/index.ts";
import type { BuildPlan, StageName, Task } from "./build-plan.ts";

const RECORD_FILE = "record.json";

export interface MadeFile {
  readonly path: string;
  readonly bytes: number;
}

/** The file `record.json` in the folder of a finished task: what the task made. */
export interface TaskRecord<Facts = unknown> {
  readonly key: string;
  /** A hash of the content of all input, if known. */
  readonly content?: string;
  /** Key of the earlier task that made this output from the same content. */
  readonly keptFrom?: string;
  readonly files: readonly MadeFile[];
  /** What later tasks need to know. The type depends on the stage. */
  readonly facts: Facts;
}

/** Returns the folder in the work folder that has the folders of finished tasks. */
export function tasksFolder(work: string): string {
  return join(work, "tasks");
}

/** Returns the folder with the output of a finished task. */
export function taskFolder(work: string, key: string): string {
  return join(tasksFolder(work), key);
}

/** Maps the content hash of each finished task to the task's key. */
function contentsFolder(work: string): string {
  return join(work, "contents");
}

/** Returns the folder with the unfinished output of running and killed tasks. */
export function attemptsFolder(work: string): string {
  return join(work, "attempts");
}

/** Returns the folder with what belongs to single builds alone. The next build removes it. */
export function buildsFolder(work: string): string {
  return join(work, "builds");
}

/**
 * Returns the folder for what a build and its workers write besides the output of tasks, such as errors. Each build has
 * its own, because a suspended build may still write.
 */
export function buildFolder({ work, build }: Pick<BuildPlan, "work" | "build">): string {
  return join(buildsFolder(work), build);
}

/** Returns the record of a task. Undefined if the task is not finished, or if a power failure damaged the record. */
export async function readRecord<Facts>(work: string, key: string): Promise<TaskRecord<Facts> | undefined> {
  const text = await readOptional(join(taskFolder(work, key), RECORD_FILE));
  try {
    return text === undefined ? undefined : (JSON.parse(text) as TaskRecord<Facts>);
  } catch {
    return undefined;
  }
}

/** Returns the files in the output of a task that belong into the dataset; none if the task is not finished. */
export async function publishedFiles(work: string, key: string): Promise<MadeFile[]> {
  const files = (await readRecord(work, key))?.files ?? [];
  return files.filter(({ path }) => isOfDataset(path));
}

function isOfDataset(path: string): boolean {
  return isCollectionFolder(path.split("/")[0] ?? "");
}

/** Returns the facts in the record of a task. Throws if it is not finished. */
export async function readFacts<Facts>(work: string, key: string): Promise<Facts> {
  const record = await readRecord<Facts>(work, key);
  if (!record) throw notFinished(key);
  return record.facts;
}

/** Returns the error for a task that needs the output of this unfinished task. */
export function notFinished(key: string): Error {
  return new Error(`task ${key} is not finished, and another needs it`);
}

interface Making {
  readonly content: string | undefined;
  /** Folder in which `make` writes, such as one on a local disk. Its files are copied afterwards. */
  readonly draft?: string | undefined;
  readonly make: (folder: string) => Promise<unknown>;
}

/**
 * Calls `make` with a temporary folder, adds a record with the facts that `make` returns, and renames the folder, which
 * makes the task finished.
 */
export async function commitTask(work: string, { key }: Task, { content, draft, make }: Making): Promise<void> {
  await commit(work, key, async (attempt) => {
    const facts = await make(draft ?? attempt);
    if (draft !== undefined) await cp(draft, attempt, { recursive: true });
    const files = await syncFiles(attempt);
    return { key, files, facts, ...(content === undefined ? {} : { content }) };
  });
}

/**
 * Makes a task finished with the output of an earlier task that had the same input content. Returns false if there is
 * none, or if its output is incomplete.
 */
export async function keepTask(plan: BuildPlan, { key }: Task, content: string): Promise<boolean> {
  const { work } = plan;
  const from = await readOptional(join(contentsFolder(work), content));
  const record = from === undefined ? undefined : await readRecord(work, from);
  if (!record || from === undefined || !(await areSound(plan, record))) return false;
  await commit(work, key, async (attempt) => {
    for (const { path } of record.files) {
      const made = join(taskFolder(work, from), path);
      // Published packs are in the dataset.
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
      // Another attempt finished first.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
    await DISK.syncFolder(tasksFolder(work));
    if (record.content !== undefined) await writeContent(work, record.content, key);
  } finally {
    await rm(attempt, { recursive: true, force: true });
  }
}

/** Tasks with the same content may write at the same time. */
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

/** The tasks of a stage that have no record yet, so are still to run. */
export interface PendingStage {
  readonly name: StageName;
  /** With their index in the stage. */
  readonly tasks: readonly { readonly index: number; readonly task: Task }[];
}

/**
 * Returns the unfinished tasks by stage. Removes damaged output, which makes its task unfinished. `finished` has the
 * keys of tasks that were checked before, because a check may read all output. Keys of tasks that pass the check are
 * added to it.
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
  // Remove it even without a record, because the new folder needs the name.
  await rm(taskFolder(plan.work, key), { recursive: true, force: true });
  return false;
}

async function areSound(plan: BuildPlan, { key, files }: TaskRecord): Promise<boolean> {
  return (await eachFile(files, (file) => isSound(plan, key, file))).every(Boolean);
}

async function isSound(plan: BuildPlan, key: string, { path, bytes }: MadeFile): Promise<boolean> {
  const made = join(taskFolder(plan.work, key), path);
  const found = await stat(made).catch(() => undefined);
  const isOwn = found?.nlink === 1 || !isOfDataset(path);
  if (found?.size === bytes && isOwn) return true;
  // Published partitions are in the dataset, where another program may have changed them. `keepTask` links files: one
  // with several names may be published.
  const published = found?.size === bytes ? made : join(plan.dataset, path);
  if ((await sizeOf(published)) !== bytes) return false;
  return (await hashFile(published)).startsWith(basename(path).split(".")[0] ?? "");
}

/** Returns the size of a file in bytes; undefined if there is no such file. */
export async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}

/** Removes the output of finished tasks that are not in the plan. */
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
