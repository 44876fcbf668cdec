/**
 * Carries out tasks on a cluster of Spark, by one `spark-submit`: a job for each stage, a task of Spark for each task.
 * Spark places them, tries them again, and runs a second attempt beside a slow one. All nodes must share the work
 * folder. @see https://spark.apache.org/docs/latest/submitting-applications.html @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeFolder, writeWhole } from "../disk/index.ts";
import { type BuildPlan, planPath, tasksFolder } from "../plan/index.ts";
import {
  createWatch,
  type Executor,
  failuresFolder,
  STARVED_CODES,
  type StageWork,
  starvedFolder,
} from "./executor.ts";
import { workerCommand } from "./worker.ts";

/** It stands beside this file, in the built program too. */
const DRIVER = fileURLToPath(new URL("spark-driver.py", import.meta.url));

const POLL_MS = 1000;

/** The least that Spark takes for a process that does nothing but start others. */
const LEAST_MEBIBYTES = 512;

export interface SparkOptions {
  /** Such as `spark://host:7077` or `yarn`; what Spark's own configuration says when left out. */
  readonly master?: string | undefined;
  /** Settings of Spark, `name=value`; they go before ours. */
  readonly conf?: readonly string[] | undefined;
}

/** Carries out tasks by `spark-submit`, that of `SPARK_HOME` where it is set; Spark's configuration files count. */
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
      // one that was cut off on its way is submitted again
      if (child.exitCode !== 0 && !isAnyDone)
        throw new Error(`--executor spark: ${await reasonIn(log)}; more in ${log}`);
    },
  };
}

function tasksForDriver(plan: BuildPlan, work: readonly StageWork[]): unknown {
  return {
    build: { host: hostname(), pid: process.pid },
    tasksFolder: tasksFolder(plan.work),
    failuresFolder: failuresFolder(plan.work),
    starvedFolder: starvedFolder(plan.work),
    starvedCodes: STARVED_CODES,
    stages: work.map(({ name, tasks }) => ({
      name,
      // by what a task may take
      commands: Object.fromEntries(
        tasks.map(({ memoryBytes }) => [memoryBytes, workerCommand(planPath(plan.work), name, memoryBytes)]),
      ),
      tasks: tasks.map(({ index, task, memoryBytes }) => [index, task.key, String(memoryBytes)]),
    })),
  };
}

/** All executors of an application are of one size. */
function mostMemory(work: readonly StageWork[]): number {
  return work.flatMap(({ tasks }) => tasks).reduce((most, { memoryBytes }) => Math.max(most, memoryBytes), 0);
}

function submitArguments({ master, conf = [] }: SparkOptions, { threads }: BuildPlan, memoryBytes: number): string[] {
  const ours = [
    "spark.app.name=cairn build",
    // a task has a process of Spark to itself, so that what that may take is what a task may
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

/** Tasks run beside Spark's own processes, which hardly take memory: where it is counted, theirs is counted so. */
function memoryConf(master: string | undefined, mebibytes: number): string[] {
  if (master?.startsWith("local")) return [];
  // a standalone cluster counts the heap alone, and takes no more of it than is used
  if (master?.startsWith("spark://")) return [`spark.executor.memory=${Math.max(mebibytes, LEAST_MEBIBYTES)}m`];
  return [`spark.executor.memory=${LEAST_MEBIBYTES}m`, `spark.executor.memoryOverhead=${mebibytes}m`];
}

/** Resolves when the program has ended, whatever it says. Throws the message of a task that failed. */
async function watch(child: ChildProcess, look: () => Promise<void>): Promise<void> {
  const ended = once(child, "exit").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new Error("--executor spark: spark-submit not found; set SPARK_HOME, or have it in PATH");
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

/** What a program of Java or Python ends with, as far as that can be told. */
async function reasonIn(log: string): Promise<string> {
  const lines = (await readFile(log, "utf8")).split("\n").filter((line) => line.trim() !== "");
  const reason = lines.find((line) =>
    /^(Exception in thread|Error:|Caused by:|\w+(\.\w+)*(Error|Exception): )/.test(line),
  );
  return (reason ?? lines.at(-1) ?? "spark-submit said nothing").trim();
}
