import { createLocator } from "../country/index.ts";
import { runTask } from "../stages/index.ts";
import type { Executor } from "./executor.ts";

export function localExecutor(): Executor {
  return {
    atATime: 1,
    carryOut: async (plan, pending, onTask) => {
      const locator = createLocator(plan.outlines);
      for (const { name, missing } of pending) {
        const tasks = plan.stages.find((stage) => stage.name === name)?.tasks ?? [];
        for (const task of missing.flatMap((index) => tasks[index] ?? [])) {
          await runTask(plan, task, locator);
          onTask(task);
        }
      }
    },
  };
}
