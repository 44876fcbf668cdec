/**
 * Runs tasks on a Spark cluster with one `spark-submit`: one job per stage, one Spark task per task. Spark places
 * tasks, retries them, and runs a second attempt of slow ones. All nodes must share the work folder.
 * @see https://spark.apache.org/docs/latest/submitting-applications.html @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeFolder, writeWhole } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import { type BuildPlan, tasksFolder } from "../plan/index.ts";
import {
  createWatch,
  type Executor,
  failuresFolder,
  OUT_OF_MEMORY_CODES,
  outOfMemoryFolder,
  type StageWork,
} from "./executor.ts";
import { workerCommand } from "./worker.ts";

/** In the same folder as this file, also in the packaged program. */
const DRIVER = fileURLToPath(new URL("spark-driver.py", import.meta.url));

const POLL_MS = 1000;

/** Spark's minimum for a process that only starts others. */
const LEAST_MEBIBYTES = 512;

interface SparkOptions {
  /** Such as `spark://host:7077` or `yarn`. Default: Spark's configuration. */
  readonly master?: string | undefined;
  /** Settings of Spark, `name=value`. They come after Cairn's own, so they take precedence. */
  readonly conf?: readonly string[] | undefined;
}

/**
 * Returns an executor that runs tasks with `spark-submit`, from `SPARK_HOME` if it is set. Spark's configuration files
 * apply.
 */
export function sparkExecutor(options: SparkOptions = {}): Executor {
  return {
    atATime: 1,
    carryOut: async (plan, work, onTask) => {
      let isAnyDone = false;
      const look = createWatch(plan, work, (task) => {
        isAnyDone = true;
        onTask(task);
      });
      const logs = join(plan.work, "logs");
      await makeFolder(logs);
      const asked = join(plan.work, "spark-tasks.json");
      await writeWhole(asked, JSON.stringify(tasksForDriver(plan, work)));
      const { SPARK_HOME } = process.env;
      const program = SPARK_HOME === undefined ? "spark-submit" : join(SPARK_HOME, "bin/spark-submit");
      const log = join(logs, `spark-${Date.now()}.log`);
      const written = await open(log, "w");
      const child = spawn(program, [...submitArguments(options, plan, mostMemory(work)), DRIVER, asked], {
        stdio: ["ignore", written.fd, written.fd],
      });
      try {
        await watch(child, look);
      } finally {
        await end(child);
        await written.close();
      }
      // An interrupted application is submitted again.
      if (child.exitCode !== 0 && !isAnyDone)
        throw new CodedError("CAIRN_E_EXECUTOR", `--executor spark: ${await reasonIn(log)}; more in ${log}`);
    },
  };
}

function tasksForDriver(plan: BuildPlan, work: readonly StageWork[]): unknown {
  return {
    build: { host: hostname(), pid: process.pid },
    tasksFolder: tasksFolder(plan.work),
    failuresFolder: failuresFolder(plan),
    outOfMemoryFolder: outOfMemoryFolder(plan),
    outOfMemoryCodes: OUT_OF_MEMORY_CODES,
    stages: work.map(({ name, tasks }) => ({
      name,
      // By memory limit of the task.
      commands: Object.fromEntries(
        tasks.map(({ memoryBytes }) => [memoryBytes, workerCommand(plan, name, memoryBytes)]),
      ),
      tasks: tasks.map(({ index, task, memoryBytes }) => [index, task.key, String(memoryBytes)]),
    })),
  };
}

/** All executors of an application have the same size. */
function mostMemory(work: readonly StageWork[]): number {
  return work.flatMap(({ tasks }) => tasks).reduce((most, { memoryBytes }) => Math.max(most, memoryBytes), 0);
}

function submitArguments({ master, conf = [] }: SparkOptions, { threads }: BuildPlan, memoryBytes: number): string[] {
  const ours = [
    "spark.app.name=cairn build",
    // One task per Spark executor, so that the executor's limit is the task's limit.
    `spark.executor.cores=${threads}`,
    `spark.task.cpus=${threads}`,
    ...memoryConf(master, Math.ceil(memoryBytes / 2 ** 20)),
    "spark.speculation=true",
    "spark.task.maxFailures=4",
  ];
  return [
    ...(master === undefined ? [] : ["--master", master]),
    ...[...ours, ...conf].flatMap((one) => ["--conf", one]),
  ];
}

/**
 * Memory settings. A task runs next to Spark's own process, which uses little. Clusters that count overhead get the
 * task's memory there.
 */
function memoryConf(master: string | undefined, mebibytes: number): string[] {
  if (master?.startsWith("local")) return [];
  // A standalone cluster counts only the heap, and uses no more of it than needed.
  if (master?.startsWith("spark://")) return [`spark.executor.memory=${Math.max(mebibytes, LEAST_MEBIBYTES)}m`];
  return [`spark.executor.memory=${LEAST_MEBIBYTES}m`, `spark.executor.memoryOverhead=${mebibytes}m`];
}

/** Resolves when the program ends, with any exit code. Throws the message of a failed task. */
async function watch(child: ChildProcess, look: () => Promise<void>): Promise<void> {
  const ended = once(child, "exit").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new CodedError(
      "CAIRN_E_EXECUTOR",
      "--executor spark: spark-submit not found; set SPARK_HOME, or have it in PATH",
    );
  });
  let isRunning = true;
  while (isRunning) {
    await Promise.race([ended.then(() => (isRunning = false)), setTimeout(POLL_MS)]);
    await look();
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}

/** Finds the last error message of a Java or Python program in its log. */
async function reasonIn(log: string): Promise<string> {
  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line.trim() !== "");
  const reason = lines.find((line) =>
    /^(Exception in thread|Error:|Caused by:|\w+(\.\w+)*(Error|Exception): )/.test(line),
  );
  return (reason ?? lines.at(-1) ?? "spark-submit said nothing").trim();
}
