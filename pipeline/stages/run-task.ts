import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "../country/index.ts";
import { duckdbBytes, openDatabase } from "../database/index.ts";
import { attemptsFolder, type BuildPlan, commitTask, type Task } from "../plan/index.ts";
import { derive } from "./derive.ts";
import { join as joinPlaces } from "./join.ts";
import { number } from "./number.ts";
import { reduce } from "./reduce.ts";
import { scan } from "./scan.ts";
import { survey } from "./survey.ts";
import type { TaskContext } from "./task-context.ts";
import { terms } from "./terms.ts";

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
    case "number":
    case "number_join":
      return number(context, task);
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
