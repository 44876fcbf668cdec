import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../../../data/format/message-of.ts";
import { duckdbBytes } from "../../base/database/index.ts";
import { makeFolder } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { createLocator } from "../country/index.ts";
import { type BuildPlan, planPath, readPlan, readRecord, type StageName } from "../plan/index.ts";
import { runTask } from "../stages/index.ts";
import { failuresFolder, failureText, isOutOfMemory, outOfMemoryFolder, taskName } from "./executor.ts";

/** Path of the program's main script. In the packaged program all modules are in one folder. */
export const MAIN = mainScript();
/** False if the program runs from its sources, which need a loader. */
export const IS_BUILT = !MAIN.endsWith(".ts");

function mainScript(): string {
  const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  if (!import.meta.url.endsWith(".ts")) return here("./main.js");
  // a bundle of the sources, which starts five times as fast
  return process.env.CAIRN_TEST_CLI ?? here("../../cli/main.ts");
}

/** A process needs this much before its task begins. */
const LEAST_HEAP_BYTES = 512 * 2 ** 20;

/** The program and its write buffers: what a task without SQL uses outside its heap. */
const BESIDE_HEAP_BYTES = 256 * 2 ** 20;

/**
 * Returns the command that runs a task of the stage with this memory limit. Append the index of the task in the stage.
 */
export function workerCommand(
  plan: BuildPlan,
  stage: StageName,
  memoryBytes: number,
): [command: string, ...args: string[]] {
  const beside = stage === "index" ? BESIDE_HEAP_BYTES : duckdbBytes(memoryBytes);
  const heapBytes = Math.max(LEAST_HEAP_BYTES, memoryBytes - beside);
  const heap = `--max-old-space-size=${Math.floor(heapBytes / 2 ** 20)}`;
  const loader = IS_BUILT ? [] : ["--import", import.meta.resolve("tsx")];
  const from = ["--plan", planPath(plan.work), "--build", plan.build];
  const which = ["--stage", stage, "--memory", String(memoryBytes), "--index"];
  return [process.execPath, heap, ...loader, MAIN, "worker", ...from, ...which];
}

interface WorkerTask {
  /** Id of the build that started the worker. */
  readonly build: string;
  readonly stage: string;
  readonly index: number;
  readonly memoryBytes: number;
}

/**
 * Runs a task of the plan in this file, unless it is finished. Stores the message of a failure for the process that
 * planned the task, then throws the failure. Throws if another build has the folder.
 */
export async function runWorkerTask(planFile: string, { build, stage, index, memoryBytes }: WorkerTask): Promise<void> {
  const plan = await readPlan(planFile);
  if (plan.build !== build)
    throw new CodedError("CAIRN_E_LOCKED", `${planFile}: build ${build} ended, and another has the folder now`);
  const task = plan.stages.find(({ name }) => name === stage)?.tasks[index];
  if (!task) throw new Error(`${planFile} has no task ${index} of stage ${stage}`);
  if (await readRecord(plan.work, task.key)) return;
  try {
    await runTask(plan, task, { locator: createLocator(plan.outlines), memoryBytes });
  } catch (error) {
    const [path, text] = isOutOfMemory(error)
      ? [join(outOfMemoryFolder(plan), taskName(stage, index)), messageOf(error)]
      : [join(failuresFolder(plan), task.key), failureText(error)];
    await makeFolder(dirname(path));
    await writeFile(`${path}.${process.pid}`, text);
    await rename(`${path}.${process.pid}`, path);
    throw error;
  }
}
