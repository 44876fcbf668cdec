import { createLocator } from "../country/index.ts";
import { runTask } from "../stages/index.ts";
import { type Executor, tasksOf } from "./executor.ts";

export function localExecutor(): Executor {
  return {
    atATime: 1,
    carryOut: async (plan, pending, onTask) => {
      const locator = createLocator(plan.outlines);
      for (const stage of pending) {
        for (const [, task] of tasksOf(plan, stage)) {
          await runTask(plan, task, locator);
          onTask(task);
        }
      }
    },
  };
}
