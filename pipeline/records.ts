/**
 * What finished tasks made. A task writes into a folder of its own, which gets its name in one step: it is there whole
 * or not at all, and of two attempts at a task one is as good as the other.
 * @module
 */
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Task } from "./build-plan.ts";
import { eachFile, filesBelow } from "./files.ts";

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

/** The record of a finished task; undefined when it is not finished. */
export async function readRecord<Facts>(work: string, key: string): Promise<TaskRecord<Facts> | undefined> {
  const text = await readFile(join(taskFolder(work, key), RECORD_FILE), "utf8").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    },
  );
  return text === undefined ? undefined : (JSON.parse(text) as TaskRecord<Facts>);
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
    await syncFile(join(attempt, RECORD_FILE));
    await rename(attempt, taskFolder(work, key)).catch((error: NodeJS.ErrnoException) => {
      // another attempt was first
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(attempt, { recursive: true, force: true });
  }
}

async function syncFiles(folder: string): Promise<MadeFile[]> {
  return eachFile(await filesBelow(folder), async (path) => ({ path, bytes: await syncFile(join(folder, path)) }));
}

/** Has the file on the disk before it is renamed; returns its size. */
async function syncFile(path: string): Promise<number> {
  const file = await open(path, "r");
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}
