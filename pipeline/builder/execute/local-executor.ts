import { allEnded } from "../../base/disk/index.ts";
import { createLocator } from "../country/index.ts";
import type { Task } from "../plan/index.ts";
import { runTask } from "../stages/index.ts";
import { type Executor, isOutOfMemory, tooLittle } from "./executor.ts";
import { createBudget } from "./memory-budget.ts";
import { startTaskThread, type TaskLimits, type TaskThread } from "./task-thread.ts";

const MOST_AT_A_TIME = 2;

/** A thread loads the program in about a second. A shorter build is faster without it. */
const SHORT_BUILD_MS = 1500;

interface LocalOptions {
  /** Milliseconds from the start after which tasks also run in a thread. */
  readonly threadAfterMs?: number;
}

/**
 * Returns an executor that runs tasks in this process: two at the same time if half of the memory is enough for each,
 * otherwise one. In a longer build the second task runs in a thread.
 */
export function localExecutor({ threadAfterMs = SHORT_BUILD_MS }: LocalOptions = {}): Executor {
  const began = performance.now();
  let thread: TaskThread | undefined;
  let starting: Promise<void> | undefined;
  return {
    // Any task may use all of the memory.
    atATime: 1,
    carryOut: async (plan, work, onTask) => {
      const { memoryBytes: all, threads } = plan;
      const atATime = Math.min(MOST_AT_A_TIME, threads);
      const share = Math.floor(all / atATime);
      const locator = createLocator(plan.outlines);
      const memory = createBudget(all);
      const startThread = (): void => {
        if (performance.now() - began < threadAfterMs) return;
        starting ??= startTaskThread().then((started) => {
          thread = started;
        });
        // Thrown at the end.
        starting.catch(() => undefined);
      };
      const run = async (task: Task, limits: TaskLimits, inThread?: TaskThread): Promise<void> => {
        await memory.take(limits.memoryBytes);
        try {
          if (inThread) await inThread.run(plan, task, limits);
          else await runTask(plan, task, { locator, ...limits });
        } finally {
          memory.give(limits.memoryBytes);
        }
      };
      // DuckDB's threads wait for work in a loop, which takes time from the other task.
      const shared: TaskLimits = { memoryBytes: share, threads: Math.max(1, Math.floor(threads / atATime)) };
      const runStage = async ({ tasks }: (typeof work)[number]): Promise<void> => {
        const isShared = atATime > 1 && tasks.length > 1 && tasks.every(({ memoryBytes }) => memoryBytes <= share);
        const waiting = tasks.values();
        let isFailed = false;
        const workOn = async (lane: number): Promise<void> => {
          for (const { task } of waiting) {
            if (isFailed) return;
            if (isShared) startThread();
            // Until the thread is ready, both run here.
            const inThread = lane === 1 ? thread : undefined;
            try {
              const isEnough = isShared && (await isDone(run(task, shared, inThread)));
              if (!isEnough) await run(task, { memoryBytes: all, threads });
              onTask(task);
            } catch (error) {
              isFailed = true;
              throw isOutOfMemory(error) ? tooLittle(task, all, (error as Error).message) : error;
            }
          }
        };
        await allEnded(Array.from({ length: atATime }, (_, lane) => workOn(lane)));
      };
      for (const stage of work) await runStage(stage);
      await starting;
    },
    end: async () => {
      const started = starting;
      starting = undefined;
      await started?.catch(() => undefined);
      await thread?.end();
      thread = undefined;
    },
  };
}

/** False if the task ran out of memory. */
async function isDone(task: Promise<void>): Promise<boolean> {
  try {
    await task;
    return true;
  } catch (error) {
    if (isOutOfMemory(error)) return false;
    throw error;
  }
}
