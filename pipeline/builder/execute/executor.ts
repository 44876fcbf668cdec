import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../../data/format/message-of.ts";
import { writeWhole } from "../../base/disk/index.ts";
import { CodedError, codeOf, isCommandErrorCode } from "../../base/errors/index.ts";
import {
  type BuildPlan,
  buildFolder,
  type PendingStage,
  pendingStages,
  type StageName,
  type Task,
  tasksFolder,
} from "../plan/index.ts";

/** Runs the tasks of a build: in this process, in several, or on other machines. */
export interface Executor {
  /** The memory and the threads of this machine are divided by this number to get the limits of one task. */
  readonly atATime: number;
  /**
   * Runs the tasks of `work`, stage by stage, and calls `onTask` for each finished one. Throws if a task fails. Killed
   * tasks may stay unfinished: the function `carryOut` finds them by their missing records.
   */
  readonly carryOut: (plan: BuildPlan, work: readonly StageWork[], onTask: (task: Task) => void) => Promise<void>;
  /** Frees what the executor keeps between two calls of `carryOut`. */
  readonly end?: () => Promise<void>;
}

/** The tasks of one stage that are still to run. */
export interface StageWork {
  readonly name: StageName;
  readonly tasks: readonly Assignment[];
}

/** A task with the memory that it may use. */
export interface Assignment {
  /** Index of the task in its stage. */
  readonly index: number;
  readonly task: Task;
  /** Memory limit of the task, in bytes. */
  readonly memoryBytes: number;
}

const MOST_ATTEMPTS = 4;

export interface TaskEvents {
  /** A task has finished. */
  readonly onTask: (task: Task) => void;
  /**
   * Gets all finished tasks of the plan, also those of earlier builds: before the first task runs, after each attempt,
   * and at the end.
   */
  readonly onFinished?: (tasks: readonly Task[]) => void;
}

/**
 * Runs the tasks of a plan until each has a record of its output. A task that ran out of memory gets twice as much next
 * time, up to the plan's limit. Throws if a task fails, if it needs more than that limit, or if tasks are cut off four
 * times.
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
    if (!(await growMemory(plan, work, grown))) {
      if (attempts++ === MOST_ATTEMPTS) {
        const said = `${listOf(work)} were cut off ${MOST_ATTEMPTS} times`;
        // Workers cannot report a full disk: their reports are files on it. This file does not fit either.
        await writeWhole(join(buildFolder(plan), "cut-off"), said);
        throw new CodedError("CAIRN_E_EXECUTOR", said);
      }
    }
    for (const folder of [failuresFolder(plan), outOfMemoryFolder(plan)])
      await rm(folder, { recursive: true, force: true });
    await executor.carryOut(plan, assign(pending), events.onTask);
  }
}

/** Returns true if a task gets more memory. Throws if a task ran out of memory at the limit. */
async function growMemory(plan: BuildPlan, work: readonly StageWork[], grown: Map<string, number>): Promise<boolean> {
  let isAny = false;
  const ended = new Set(await namesIn(outOfMemoryFolder(plan)));
  for (const { name, tasks } of work) {
    for (const { index, task, memoryBytes } of tasks) {
      if (!ended.has(taskName(name, index))) continue;
      if (memoryBytes < plan.memoryBytes) {
        grown.set(task.key, Math.min(2 * memoryBytes, plan.memoryBytes));
        isAny = true;
        continue;
      }
      const words = await readFile(join(outOfMemoryFolder(plan), taskName(name, index)), "utf8");
      // A killed task without a message may have had another reason.
      if (words !== "") throw tooLittle(task, memoryBytes, words);
    }
  }
  return isAny;
}

function listOf(work: readonly StageWork[]): string {
  return work.map(({ name, tasks }) => `${tasks.length} tasks of stage ${name}`).join(", ");
}

/** Returns the folder with the errors of failed tasks, in files named by the keys of the tasks. */
export function failuresFolder(plan: BuildPlan): string {
  return join(buildFolder(plan), "failures");
}

/** Returns what the process of a failed task stores: the code of the error, then its message. */
export function failureText(error: unknown): string {
  return `${codeOf(error)}\n${messageOf(error)}`;
}

/** Throws the error that the process of this task stored in `failuresFolder`. Does nothing if there is none. */
export async function throwFailure(plan: BuildPlan, key: string): Promise<void> {
  const text = await readFile(join(failuresFolder(plan), key), "utf8").catch(() => undefined);
  if (text !== undefined) throw failureOf(text);
}

/** Returns an error with the code and the message in a text of `failureText`. */
export function failureOf(text: string): Error {
  const end = text.indexOf("\n");
  const code = text.slice(0, end);
  return new CodedError(isCommandErrorCode(code) ? code : "CAIRN_E_EXECUTOR", text.slice(end + 1));
}

/**
 * Returns a function to call repeatedly while other machines run tasks: it passes tasks that finished since its last
 * call to `onTask`, and throws the error of a failed one. Each call lists two folders, however many tasks there are.
 */
export function createWatch(
  plan: BuildPlan,
  work: readonly StageWork[],
  onTask: (task: Task) => void,
): () => Promise<void> {
  const open = new Map(work.flatMap(({ tasks }) => tasks.map(({ task }) => [task.key, task])));
  return async () => {
    for (const key of await namesIn(failuresFolder(plan))) if (open.has(key)) await throwFailure(plan, key);
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
 * Returns the folder with a file for each task that ran out of memory, named by `taskName`. The file has DuckDB's
 * message, or is empty if the task was killed.
 */
export function outOfMemoryFolder(plan: BuildPlan): string {
  return join(buildFolder(plan), "out-of-memory");
}

/** Returns the name by which `outOfMemoryFolder` has a task. Shell scripts and Spark's driver build the same name. */
export function taskName(stage: string, index: number): string {
  return `${stage}-${index}`;
}

/** Returns whether an error says that DuckDB or Node ran out of memory. */
export function isOutOfMemory(error: unknown): boolean {
  const said = messageOf(error);
  return /Out of Memory Error|Array buffer allocation failed|reaching memory limit/.test(said);
}

/**
 * Exit codes in a shell of a process that ran out of memory: Node ends with SIGABRT if its heap is full, and the system
 * sends SIGKILL.
 */
export const OUT_OF_MEMORY_CODES = [134, 137];
/** Signals that end a process which lacks memory. */
export const OUT_OF_MEMORY_SIGNALS: readonly NodeJS.Signals[] = ["SIGABRT", "SIGKILL"];

/** Returns the error for a task that used all of `--memory` and needs more. `words` is the message of its failure. */
export function tooLittle({ stage, collection }: Task, memoryBytes: number, words: string): Error {
  const given = `${Math.floor(memoryBytes / 2 ** 20)}MB`;
  const said = words.split("\n")[0];
  return new CodedError(
    "CAIRN_E_MEMORY",
    `${collection}: stage ${stage} used all of --memory (${given}) and needs more: ${said}`,
  );
}
