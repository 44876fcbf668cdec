/**
 * Who carries out the tasks of a plan. All do the same work: the tasks are the same, and so is what they make.
 * @module
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type BuildPlan, type PendingStage, pendingStages, type Task } from "../plan/index.ts";

export interface Executor {
  /** Tasks that are carried out on this machine at a time, and share its memory and processors. */
  readonly atATime: number;
  /**
   * Carries out the missing tasks; those of a stage after all of the stages before. Tasks that were cut off may stay
   * unfinished: the records tell. Throws when a task cannot be done.
   */
  readonly carryOut: (plan: BuildPlan, pending: readonly PendingStage[], onTask: (task: Task) => void) => Promise<void>;
}

/** A task that is cut off this often fails for a reason. */
const MOST_ATTEMPTS = 4;

/** Carries out all tasks of the plan that are not finished. Success is that every record is there. */
export async function carryOut(plan: BuildPlan, executor: Executor, onTask: (task: Task) => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const pending = await pendingStages(plan);
    if (pending.length === 0) return;
    if (attempt > MOST_ATTEMPTS) throw new Error(`${listOf(pending)} were cut off ${MOST_ATTEMPTS} times`);
    await rm(failuresFolder(plan.work), { recursive: true, force: true });
    await executor.carryOut(plan, pending, onTask);
  }
}

function listOf(pending: readonly PendingStage[]): string {
  return pending.map(({ name, missing }) => `${missing.length} tasks of stage ${name}`).join(", ");
}

/** Where processes leave why a task cannot be done. */
export function failuresFolder(work: string): string {
  return join(work, "failures");
}

/** Throws what a process said of a task. */
export async function throwFailure(work: string, key: string): Promise<void> {
  const message = await readFile(join(failuresFolder(work), key), "utf8").catch(() => undefined);
  if (message !== undefined) throw new Error(message);
}
