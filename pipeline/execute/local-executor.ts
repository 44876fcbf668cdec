import { createLocator } from "../country/index.ts";
import { allEnded } from "../disk/index.ts";
import { runTask } from "../stages/index.ts";
import { type Assignment, type Executor, isStarved, tooLittle } from "./executor.ts";
import { createBudget } from "./memory-budget.ts";

/** While one task waits for DuckDB, Node works on another. */
const MOST_AT_A_TIME = 2;

/** Runs tasks in this process: two in parallel if half of the memory is enough for each, otherwise one. */
export function localExecutor(): Executor {
  return {
    // Any task may use all of the memory.
    atATime: 1,
    carryOut: async (plan, work, onTask) => {
      const { memoryBytes: all, threads } = plan;
      const atATime = Math.min(MOST_AT_A_TIME, threads);
      const share = Math.floor(all / atATime);
      const locator = createLocator(plan.outlines);
      const memory = createBudget(all);
      const run = async ({ task }: Assignment, memoryBytes: number): Promise<void> => {
        await memory.take(memoryBytes);
        try {
          await runTask(plan, task, { locator, memoryBytes });
        } finally {
          memory.give(memoryBytes);
        }
      };
      for (const { tasks } of work) {
        const isShared = atATime > 1 && tasks.length > 1 && tasks.every(({ memoryBytes }) => memoryBytes <= share);
        const waiting = tasks.values();
        let isFailed = false;
        const workOn = async (): Promise<void> => {
          for (const assignment of waiting) {
            if (isFailed) return;
            const { task } = assignment;
            try {
              const isEnough = isShared && (await isDone(run(assignment, share)));
              if (!isEnough) await run(assignment, all);
              onTask(task);
            } catch (error) {
              isFailed = true;
              throw isStarved(error) ? tooLittle(task, all, (error as Error).message) : error;
            }
          }
        };
        await allEnded(Array.from({ length: atATime }, workOn));
      }
    },
  };
}

/** False if the task ran out of memory. */
async function isDone(task: Promise<void>): Promise<boolean> {
  try {
    await task;
    return true;
  } catch (error) {
    if (isStarved(error)) return false;
    throw error;
  }
}
