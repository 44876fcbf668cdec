import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createLocator } from "../country/index.ts";
import { readPlan, readRecord, type StageName } from "../plan/index.ts";
import { runTask } from "../stages/index.ts";
import { failuresFolder } from "./executor.ts";

/** Sources are run by a loader; built as plain JavaScript, all files of the program stand in one folder. */
const IS_BUILT = !import.meta.url.endsWith(".ts");
const MAIN = fileURLToPath(new URL(IS_BUILT ? "./main.js" : "../cli/main.ts", import.meta.url));

/** The command that carries out a task of the stage, when the task's index is put behind it. */
export function workerCommand(plan: string, stage: StageName): [command: string, ...args: string[]] {
  const loader = IS_BUILT ? [] : ["--import", import.meta.resolve("tsx")];
  return [process.execPath, ...loader, MAIN, "worker", "--plan", plan, "--stage", stage, "--index"];
}

/** Carries out the task unless it is done. Leaves the message of a failure for the process that planned it. */
export async function runWorkerTask(planFile: string, stage: string, index: number): Promise<void> {
  const plan = await readPlan(planFile);
  const task = plan.stages.find(({ name }) => name === stage)?.tasks[index];
  if (!task) throw new Error(`${planFile} has no task ${index} of stage ${stage}`);
  if (await readRecord(plan.work, task.key)) return;
  try {
    await runTask(plan, task, createLocator(plan.outlines));
  } catch (error) {
    const path = join(failuresFolder(plan.work), task.key);
    await mkdir(failuresFolder(plan.work), { recursive: true });
    await writeFile(`${path}.${process.pid}`, error instanceof Error ? error.message : String(error));
    await rename(`${path}.${process.pid}`, path);
    throw error;
  }
}
