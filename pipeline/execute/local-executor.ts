import { createLocator } from "../country/index.ts";
import { runTask } from "../stages/index.ts";
import { type Executor, isStarved, tooLittle } from "./executor.ts";

/** One task after the other in this process, each with all memory. */
export function localExecutor(): Executor {
  return {
    atATime: 1,
    carryOut: async (plan, work, onTask) => {
      const { memoryBytes } = plan;
      const locator = createLocator(plan.outlines);
      for (const { task } of work.flatMap(({ tasks }) => tasks)) {
        await runTask(plan, task, { locator, memoryBytes }).catch((error) => {
          throw isStarved(error) ? tooLittle(task, memoryBytes, error.message) : error;
        });
        onTask(task);
      }
    },
  };
}
