import { parentPort, Worker, workerData } from "node:worker_threads";
import { CodedError } from "../../base/errors/index.ts";
import { createLocator } from "../country/index.ts";
import type { BuildPlan, Task } from "../plan/index.ts";
import { runTask } from "../stages/index.ts";
import { failureOf, failureText } from "./executor.ts";
import { IS_BUILT, MAIN } from "./worker.ts";

/** A thread of this process that runs one task after another. */
export interface TaskThread {
  readonly run: (task: Task, memoryBytes: number) => Promise<void>;
  readonly end: () => Promise<unknown>;
}

interface Asked {
  readonly task: Task;
  readonly memoryBytes: number;
}

/** Returns a script that runs the program from its sources. Node ignores loaders in a thread's `execArgv`. */
function fromSources(): string {
  return `import(${JSON.stringify(import.meta.resolve("tsx/esm/api"))}).then(({ register }) => {
    register();
    return import(${JSON.stringify(MAIN)});
  })`;
}

/** Starts a thread for tasks of the plan. Resolves when it can run tasks. */
export async function startTaskThread(plan: BuildPlan): Promise<TaskThread> {
  const worker = IS_BUILT
    ? new Worker(MAIN, { workerData: plan })
    : new Worker(fromSources(), { workerData: plan, eval: true });
  const ended = new Promise<never>((_, reject) => {
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new CodedError("CAIRN_E_EXECUTOR", `a thread ended with code ${code}`)));
  });
  /** The text of the task's failure, empty if it succeeded. */
  const answer = () => Promise.race([new Promise<string>((resolve) => worker.once("message", resolve)), ended]);
  await answer();
  return {
    run: async (task, memoryBytes) => {
      worker.postMessage({ task, memoryBytes } satisfies Asked);
      const failure = await answer();
      if (failure !== "") throw failureOf(failure);
    },
    end: () => worker.terminate(),
  };
}

/** Runs the tasks that the thread which started this one asks for. */
export function runAskedTasks(): void {
  if (parentPort === null) throw new Error("only a thread runs the tasks that another asks for");
  const port = parentPort;
  const plan = workerData as BuildPlan;
  const locator = createLocator(plan.outlines);
  port.on("message", ({ task, memoryBytes }: Asked) => {
    runTask(plan, task, { locator, memoryBytes }).then(
      () => port.postMessage(""),
      (error: unknown) => port.postMessage(failureText(error)),
    );
  });
  port.postMessage("");
}
