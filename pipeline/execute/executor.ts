import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type BuildPlan, type PendingStage, pendingStages, type Task, tasksFolder } from "../plan/index.ts";

export interface Executor {
  /** Tasks at a time that share this machine's memory and processors. */
  readonly atATime: number;
  /**
   * Carries out the missing tasks, stage by stage. Tasks that were killed may stay unfinished: `carryOut` sees that
   * in their records. Throws when a task fails.
   */
  readonly carryOut: (plan: BuildPlan, pending: readonly PendingStage[], onTask: (task: Task) => void) => Promise<void>;
}

const MOST_ATTEMPTS = 4;

/** Carries out tasks until each has a record. */
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

export function tasksOf({ stages }: BuildPlan, { name, missing }: PendingStage): (readonly [number, Task])[] {
  const tasks = stages.find((stage) => stage.name === name)?.tasks ?? [];
  return missing.flatMap((index) => {
    const task = tasks[index];
    return task ? [[index, task] as const] : [];
  });
}

export function failuresFolder(work: string): string {
  return join(work, "failures");
}

export async function throwFailure(work: string, key: string): Promise<void> {
  const message = await readFile(join(failuresFolder(work), key), "utf8").catch(() => undefined);
  if (message !== undefined) throw new Error(message);
}

/**
 * A look at what other machines did since the last one: tells of tasks that are done, and throws the message of one that
 * failed. It lists two folders, however many tasks there are.
 */
export function createWatch(
  plan: BuildPlan,
  pending: readonly PendingStage[],
  onTask: (task: Task) => void,
): () => Promise<void> {
  const open = new Map(pending.flatMap((stage) => tasksOf(plan, stage).map(([, task]) => [task.key, task])));
  return async () => {
    for (const key of await namesIn(failuresFolder(plan.work))) if (open.has(key)) await throwFailure(plan.work, key);
    for (const key of await namesIn(tasksFolder(plan.work))) {
      const task = open.get(key);
      if (!task) continue;
      open.delete(key);
      onTask(task);
    }
  };
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
