import { spawn } from "node:child_process";
import { allEnded } from "../disk/index.ts";
import { planPath, readRecord, type StageName } from "../plan/index.ts";
import { type Executor, tasksOf, throwFailure } from "./executor.ts";
import { workerCommand } from "./worker.ts";

export interface ProcessOptions {
  readonly workers: number;
  readonly onStart?: ((pid: number) => void) | undefined;
}

export function processExecutor({ workers, onStart }: ProcessOptions): Executor {
  return {
    atATime: workers,
    carryOut: async (plan, pending, onTask) => {
      for (const stage of pending) {
        const waiting = tasksOf(plan, stage).values();
        let isCutOff = false;
        const work = async (): Promise<void> => {
          for (const [index, task] of waiting) {
            await runWorker(planPath(plan.work), stage.name, index, onStart);
            await throwFailure(plan.work, task.key);
            if (await readRecord(plan.work, task.key)) onTask(task);
            else isCutOff = true;
          }
        };
        await allEnded(Array.from({ length: workers }, work));
        // later stages need what is missing
        if (isCutOff) return;
      }
    },
  };
}

/** Resolves whatever the exit code. */
async function runWorker(
  plan: string,
  stage: StageName,
  index: number,
  onStart: ProcessOptions["onStart"],
): Promise<void> {
  const [command, ...args] = workerCommand(plan, stage);
  const child = spawn(command, [...args, String(index)], { stdio: ["ignore", "ignore", "inherit"] });
  if (child.pid !== undefined) onStart?.(child.pid);
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve());
  });
}
