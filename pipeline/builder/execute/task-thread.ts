import { parentPort, Worker } from "node:worker_threads";
import { CodedError } from "../../base/errors/index.ts";
import { createLocator, type Locator } from "../country/index.ts";
import type { BuildPlan, Task } from "../plan/index.ts";
import { runTask } from "../stages/index.ts";
import { failureOf, failureText } from "./executor.ts";
import { IS_BUILT, MAIN } from "./worker.ts";

/** A thread of this process that runs one task after another. */
export interface TaskThread {
  readonly run: (plan: BuildPlan, task: Task, limits: TaskLimits) => Promise<void>;
  readonly end: () => Promise<unknown>;
}

export interface TaskLimits {
  readonly memoryBytes: number;
  /** Threads of DuckDB. */
  readonly threads: number;
}

interface Asked {
  /** Undefined for the plan of the task before. */
  readonly plan: BuildPlan | undefined;
  readonly task: Task;
  readonly limits: TaskLimits;
}

/** Returns a script that runs the program from its sources. Node ignores loaders in a thread's `execArgv`. */
function fromSources(): string {
  return `import(${JSON.stringify(import.meta.resolve("tsx/esm/api"))}).then(({ register }) => {
    register();
    return import(${JSON.stringify(MAIN)});
  })`;
}

/**
 * Starts a thread, and returns it when it can run tasks. While the thread has no task, it does not keep the process
 * running.
 */
export async function startTaskThread(): Promise<TaskThread> {
  const worker = IS_BUILT ? new Worker(MAIN) : new Worker(fromSources(), { eval: true });
  const ended = new Promise<never>((_, reject) => {
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new CodedError("CAIRN_E_EXECUTOR", `a thread ended with code ${code}`)));
  });
  /** The text of the task's failure, empty if it succeeded. */
  const answer = () => Promise.race([new Promise<string>((resolve) => worker.once("message", resolve)), ended]);
  await answer();
  worker.unref();
  let known: BuildPlan | undefined;
  return {
    run: async (plan, task, limits) => {
      worker.ref();
      worker.postMessage({ plan: plan === known ? undefined : plan, task, limits } satisfies Asked);
      known = plan;
      const failure = await answer().finally(() => worker.unref());
      if (failure !== "") throw failureOf(failure);
    },
    end: () => worker.terminate(),
  };
}

/** Main function of the thread that `startTaskThread` starts: runs the tasks that it gets as messages. */
export function runAskedTasks(): void {
  if (parentPort === null) throw new Error("only a thread runs the tasks that another asks for");
  const port = parentPort;
  let known: { readonly plan: BuildPlan; readonly locator: Locator } | undefined;
  const run = async ({ plan, task, limits }: Asked): Promise<void> => {
    if (plan) known = { plan, locator: createLocator(plan.outlines) };
    if (!known) throw new Error("a task without a plan");
    await runTask(known.plan, task, { locator: known.locator, ...limits });
  };
  port.on("message", (asked: Asked) => {
    run(asked).then(
      () => port.postMessage(""),
      (error: unknown) => port.postMessage(failureText(error)),
    );
  });
  port.postMessage("");
}
