import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type BuildPlan,
  type PendingStage,
  pendingStages,
  type StageName,
  type Task,
  tasksFolder,
} from "../plan/index.ts";

export interface Executor {
  /** Tasks at a time that share this machine's memory and processors. */
  readonly atATime: number;
  /**
   * Carries out the tasks, stage by stage. Tasks that were killed may stay unfinished: `carryOut` sees that in their
   * records. Throws when a task fails.
   */
  readonly carryOut: (plan: BuildPlan, work: readonly StageWork[], onTask: (task: Task) => void) => Promise<void>;
}

export interface StageWork {
  readonly name: StageName;
  readonly tasks: readonly Assignment[];
}

export interface Assignment {
  /** Its place in the stage. */
  readonly index: number;
  readonly task: Task;
  /** What it may take. */
  readonly memoryBytes: number;
}

const MOST_ATTEMPTS = 4;

export interface TaskEvents {
  /** A task was carried out. */
  readonly onTask: (task: Task) => void;
  /** Tasks of the plan that are finished, before others are carried out and at the end: also those of earlier builds. */
  readonly onFinished?: (tasks: readonly Task[]) => void;
}

/**
 * Carries out tasks until each has a record. One that died of too little memory gets twice as much the next time, up to
 * all that a task may take.
 */
export async function carryOut(plan: BuildPlan, executor: Executor, events: TaskEvents): Promise<void> {
  const share = Math.floor(plan.memoryBytes / executor.atATime);
  const grown = new Map<string, number>();
  const assign = (pending: readonly PendingStage[]): StageWork[] =>
    pending.map(({ name, tasks }) => ({
      name,
      tasks: tasks.map(({ index, task }) => {
        return { index, task, memoryBytes: grown.get(task.key) ?? Math.min(task.memoryBytes, share) };
      }),
    }));
  let attempts = 0;
  const finished = new Set<string>();
  for (;;) {
    const pending = await pendingStages(plan, finished);
    events.onFinished?.(plan.stages.flatMap(({ tasks }) => tasks.filter(({ key }) => finished.has(key))));
    if (pending.length === 0) return;
    const work = assign(pending);
    if (!(await growStarved(plan, work, grown))) {
      if (attempts++ === MOST_ATTEMPTS) throw new Error(`${listOf(work)} were cut off ${MOST_ATTEMPTS} times`);
    }
    for (const folder of [failuresFolder(plan.work), starvedFolder(plan.work)])
      await rm(folder, { recursive: true, force: true });
    await executor.carryOut(plan, assign(pending), events.onTask);
  }
}

/** Whether any task gets more than it had. Throws where one died of too little that had all there is. */
async function growStarved(plan: BuildPlan, work: readonly StageWork[], grown: Map<string, number>): Promise<boolean> {
  let isAny = false;
  const starved = new Set(await namesIn(starvedFolder(plan.work)));
  for (const { name, tasks } of work) {
    for (const { index, task, memoryBytes } of tasks) {
      if (!starved.has(taskName(name, index))) continue;
      if (memoryBytes < plan.memoryBytes) {
        grown.set(task.key, Math.min(2 * memoryBytes, plan.memoryBytes));
        isAny = true;
        continue;
      }
      const words = await readFile(join(starvedFolder(plan.work), taskName(name, index)), "utf8");
      // one that was killed may have been so for another reason
      if (words !== "") throw tooLittle(task, memoryBytes, words);
    }
  }
  return isAny;
}

function listOf(work: readonly StageWork[]): string {
  return work.map(({ name, tasks }) => `${tasks.length} tasks of stage ${name}`).join(", ");
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
  work: readonly StageWork[],
  onTask: (task: Task) => void,
): () => Promise<void> {
  const open = new Map(work.flatMap(({ tasks }) => tasks.map(({ task }) => [task.key, task])));
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

/**
 * What tells that a task died of too little memory: files named for tasks, which they left with DuckDB's words, or empty
 * whoever started them, when they were killed.
 */
export function starvedFolder(work: string): string {
  return join(work, "starved");
}

/** As shells and Spark's driver spell it too. */
export function taskName(stage: string, index: number): string {
  return `${stage}-${index}`;
}

/** As DuckDB and Node say it. */
export function isStarved(error: unknown): boolean {
  const said = error instanceof Error ? error.message : String(error);
  return /Out of Memory Error|Array buffer allocation failed/.test(said);
}

/** Node ends itself by SIGABRT when its heap is full, the system a process by SIGKILL: as a shell tells it. */
export const STARVED_CODES = [134, 137];
export const STARVED_SIGNALS: readonly NodeJS.Signals[] = ["SIGABRT", "SIGKILL"];

export function tooLittle({ stage, collection }: Task, memoryBytes: number, words: string): Error {
  const given = `${Math.floor(memoryBytes / 2 ** 20)}MB`;
  const said = words.split("\n")[0];
  return new Error(`${collection}: stage ${stage} had all of --memory, ${given}, and needs more: ${said}`);
}
