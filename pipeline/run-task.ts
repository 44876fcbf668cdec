/**
 * Carries out one task of a plan.
 * @module
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BuildPlan, Task } from "./build-plan.ts";
import { openDatabase } from "./database/database.ts";
import { duckdbBytes } from "./database/memory.ts";
import { attemptsFolder, commitTask } from "./records.ts";
import type { LocateCountry } from "./rows/figures-function.ts";
import { derive } from "./stages/derive.ts";
import { join as joinPlaces } from "./stages/join.ts";
import { reduce } from "./stages/reduce.ts";
import { scan } from "./stages/scan.ts";
import { survey } from "./stages/survey.ts";
import type { TaskContext } from "./stages/task-context.ts";
import { terms } from "./stages/terms.ts";

/** Gives the countries of positions: made once in a process, when first needed. */
export type Locator = () => Promise<LocateCountry>;

/** Carries out the task and leaves its record. */
export async function runTask(plan: BuildPlan, task: Task, locator: Locator): Promise<void> {
  await mkdir(attemptsFolder(plan.work), { recursive: true });
  const scratch = await mkdtemp(join(attemptsFolder(plan.work), "scratch-"));
  try {
    const memoryBytes = duckdbBytes(plan.memoryBytes);
    const database = await openDatabase({ folder: scratch, memoryBytes, threads: plan.threads });
    try {
      await commitTask(plan.work, task, (folder) => make({ plan, database, folder, scratch }, task, locator));
    } finally {
      database.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function make(context: TaskContext, task: Task, locator: Locator): Promise<unknown> {
  switch (task.stage) {
    case "scan":
      return scan(context, task, await locator());
    case "survey":
    case "survey_join":
      return survey(context, task);
    case "join":
      return joinPlaces(context, task);
    case "reduce":
      return reduce(context, task);
    case "terms":
      return terms(context, task);
    case "derive":
      return derive(context, task);
  }
}
