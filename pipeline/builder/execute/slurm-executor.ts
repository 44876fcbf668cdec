/**
 * Runs tasks on a Slurm cluster: one job array per stage and memory limit, which starts when all tasks of the stage
 * before have succeeded. Slurm limits parallel tasks, and restarts those of lost nodes. All nodes must share the work
 * folder.
 * @see
 * https://slurm.schedmd.com/job_array.html @module
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { makeFolder } from "../../base/disk/index.ts";
import { CodedError } from "../../base/errors/index.ts";
import type { BuildPlan, StageName } from "../plan/index.ts";
import { createWatch, type Executor, OUT_OF_MEMORY_CODES, outOfMemoryFolder, type StageWork } from "./executor.ts";
import { workerCommand } from "./worker.ts";

const run = promisify(execFile);

const POLL_MS = 1000;

/** Polls without an answer before the build fails: the controller may be restarting. */
const MOST_SILENT_POLLS = 60;

const ANSWER_MS = 10_000;

/**
 * Returns an executor that runs tasks with `sbatch`, which also reads the environment (`SBATCH_PARTITION`,
 * `SBATCH_ACCOUNT`, ...).
 */
export function slurmExecutor(): Executor {
  return {
    atATime: 1,
    carryOut: async (plan, work, onTask) => {
      const jobs: string[] = [];
      try {
        let before: string[] = [];
        for (const stage of work) {
          before = await submitStage(plan, stage, before);
          jobs.push(...before);
        }
        await watch(jobs, createWatch(plan, work, onTask));
      } finally {
        if (jobs.length > 0) await run("scancel", ["--quiet", ...jobs], { timeout: ANSWER_MS }).catch(() => undefined);
      }
    },
  };
}

async function submitStage(plan: BuildPlan, { name, tasks }: StageWork, before: readonly string[]): Promise<string[]> {
  const jobs: string[] = [];
  // All tasks of a job array have the same memory limit.
  for (const memoryBytes of new Set(tasks.map((task) => task.memoryBytes))) {
    const indices = tasks.filter((task) => task.memoryBytes === memoryBytes).map(({ index }) => index);
    for (const part of arrayParts(indices)) jobs.push(await submit(plan, name, { ...part, memoryBytes, before }));
  }
  return jobs;
}

interface Submission extends ArrayPart {
  readonly memoryBytes: number;
  /** Jobs that must succeed first. */
  readonly before: readonly string[];
}

async function submit(
  plan: BuildPlan,
  stage: StageName,
  { memoryBytes, before, ...part }: Submission,
): Promise<string> {
  const logs = join(plan.work, "logs");
  await makeFolder(logs);
  const index = `$((SLURM_ARRAY_TASK_ID + ${part.offset}))`;
  const command = [...workerCommand(plan, stage, memoryBytes).map(quote), index].join(" ");
  const marker = outOfMemoryFolder(plan);
  const tell = `mkdir -p ${quote(marker)}; : > ${quote(`${marker}/${stage}-`)}${index}`;
  const script = `${command}; code=$?; case $code in ${OUT_OF_MEMORY_CODES.join("|")}) ${tell};; esac; exit $code`;
  const { stdout } = await run("sbatch", [
    "--parsable",
    "--requeue",
    "--kill-on-invalid-dep=yes",
    `--job-name=cairn-${stage}`,
    `--array=${part.indices}`,
    `--output=${logs}/%x-%A-%a.log`,
    "--open-mode=append",
    `--cpus-per-task=${plan.threads}`,
    `--mem=${Math.ceil(memoryBytes / 2 ** 20)}M`,
    ...(before.length > 0 ? [`--dependency=afterok:${before.join(":")}`] : []),
    `--wrap=${script}`,
  ]).catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
    if (error.code === "ENOENT")
      throw new CodedError(
        "CAIRN_E_EXECUTOR",
        "--executor slurm: sbatch not found; run this where Slurm's commands are",
      );
    throw new CodedError(
      "CAIRN_E_EXECUTOR",
      `--executor slurm: ${(error.stderr ?? error.message).trim().split("\n").join(" ")}`,
    );
  });
  return stdout.trim().split(";")[0] ?? "";
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Resolves when no job is left, even if tasks are unfinished. Throws the message of a failed task. */
async function watch(jobs: readonly string[], look: () => Promise<void>): Promise<void> {
  let silent = 0;
  for (;;) {
    const left = await jobsLeft(jobs);
    await look();
    if (left === 0) return;
    silent = left === undefined ? silent + 1 : 0;
    if (silent > MOST_SILENT_POLLS)
      throw new CodedError("CAIRN_E_EXECUTOR", "--executor slurm: squeue does not answer");
    await setTimeout(POLL_MS);
  }
}

/** Number of pending and running jobs; undefined if the controller does not answer. */
async function jobsLeft(jobs: readonly string[]): Promise<number | undefined> {
  const listed = await run("squeue", ["--me", "--noheader", "--format=%F"], { timeout: ANSWER_MS }).catch(
    () => undefined,
  );
  if (!listed) return undefined;
  const there = new Set(listed.stdout.split("\n").map((line) => line.trim()));
  return jobs.filter((job) => there.has(job)).length;
}

/** Slurm's default limit (MaxArraySize). */
const ARRAY_NUMBERS = 1000;

interface ArrayPart {
  /** Added to an index of the array. */
  readonly offset: number;
  readonly indices: string;
}

/** Splits ascending indices of tasks into job arrays whose numbers are below Slurm's limit of 1,000. */
export function arrayParts(indices: readonly number[]): ArrayPart[] {
  const parts = new Map<number, number[]>();
  for (const index of indices) {
    const offset = Math.floor(index / ARRAY_NUMBERS) * ARRAY_NUMBERS;
    const numbers = parts.get(offset) ?? [];
    numbers.push(index - offset);
    parts.set(offset, numbers);
  }
  return [...parts].map(([offset, numbers]) => ({ offset, indices: spellRanges(numbers) }));
}

function spellRanges(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range && range[1] === number - 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}
