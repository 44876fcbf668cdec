import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { allEnded, makeFolder } from "../../base/disk/index.ts";
import { type BuildPlan, readRecord, type StageName } from "../plan/index.ts";
import {
  type Assignment,
  type Executor,
  OUT_OF_MEMORY_SIGNALS,
  outOfMemoryFolder,
  taskName,
  throwFailure,
} from "./executor.ts";
import { createBudget } from "./memory-budget.ts";
import { workerCommand } from "./worker.ts";

interface ProcessOptions {
  readonly workers: number;
  readonly onStart?: ((pid: number, assignment: Assignment) => void) | undefined;
}

/**
 * Returns an executor that runs tasks in up to `workers` processes on this machine. Together their limits are at most
 * the plan's memory, so a large task runs next to fewer others.
 */
export function processExecutor({ workers, onStart }: ProcessOptions): Executor {
  return {
    atATime: workers,
    carryOut: async (plan, work, onTask) => {
      const memory = createBudget(plan.memoryBytes);
      for (const { name, tasks } of work) {
        const waiting = tasks.values();
        let isCutOff = false;
        const workOn = async (): Promise<void> => {
          for (const assignment of waiting) {
            await memory.take(assignment.memoryBytes);
            try {
              await runWorker(plan, name, assignment, onStart);
            } finally {
              memory.give(assignment.memoryBytes);
            }
            const { task } = assignment;
            await throwFailure(plan, task.key);
            if (await readRecord(plan.work, task.key)) onTask(task);
            else isCutOff = true;
          }
        };
        await allEnded(Array.from({ length: workers }, workOn));
        // Later stages need the missing output.
        if (isCutOff) return;
      }
    },
  };
}

/** Resolves with any exit code. */
async function runWorker(
  plan: BuildPlan,
  stage: StageName,
  assignment: Assignment,
  onStart: ProcessOptions["onStart"],
): Promise<void> {
  const { index, memoryBytes } = assignment;
  const [command, ...args] = workerCommand(plan, stage, memoryBytes);
  const child = spawn(command, [...args, String(index)], { stdio: ["ignore", "ignore", "inherit"] });
  if (child.pid !== undefined) onStart?.(child.pid, assignment);
  const signal = await new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (_code, endedBy) => resolve(endedBy));
  });
  if (signal === null || !OUT_OF_MEMORY_SIGNALS.includes(signal)) return;
  await makeFolder(outOfMemoryFolder(plan));
  await writeFile(join(outOfMemoryFolder(plan), taskName(stage, index)), "");
}
