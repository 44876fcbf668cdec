/**
 * Whether a task is finished: its record and all its files are there. Published partitions have moved to the dataset.
 * @module
 */
import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { eachFile, hashFile } from "../disk/index.ts";
import type { BuildPlan, StageName, Task } from "./build-plan.ts";
import { type MadeFile, readRecord, taskFolder, tasksFolder } from "./records.ts";

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
