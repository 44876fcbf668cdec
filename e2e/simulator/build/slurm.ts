/**
 * A Slurm cluster: `sbatch`, `squeue` and `scancel` over simulated nodes, which run one task at a time. A task of a lost node is
 * queued again; its first attempt may continue.
 * @module
 */
import type { VirtualTime } from "../virtual-time.ts";
import { type Host, type Machines, type Process, startWorker, type WorkerArguments } from "./machines.ts";

interface Job {
  readonly id: string;
  readonly after: readonly string[];
  readonly task: Omit<WorkerArguments, "index">;
  /** Indices of tasks that wait for a node. */
  readonly waiting: number[];
  readonly running: Map<number, Process>;
  isFailed: boolean;
}

const WRAPPED =
  /'--plan' '(.+)' '--build' '(.+)' '--stage' '(.+)' '--memory' '(\d+)' '--index' \$\(\(SLURM_ARRAY_TASK_ID \+ (\d+)\)\)/;

/** After this time, the controller looks for lost nodes. */
const LOST_MS = 120_000;

export function createSlurm(time: VirtualTime, nodes: readonly Host[], machinesOf: () => Machines) {
  const jobs = new Map<string, Job>();
  let ids = 0;
  const isLeft = (job: Job) => job.waiting.length + job.running.size > 0;

  /** Gives waiting tasks to free nodes, and takes tasks from lost ones. */
  function schedule(): void {
    for (const job of jobs.values()) {
      for (const [index, process] of job.running) {
        if (process.suspendedUntilMs < time.nowMs()) continue;
        job.running.delete(index);
        job.waiting.push(index);
      }
      const before = job.after.map((id) => jobs.get(id)).filter((one) => one !== undefined);
      if (before.some(({ isFailed }) => isFailed)) Object.assign(job, { isFailed: true }).waiting.length = 0;
      if (before.some(isLeft)) continue;
      const busy = new Set([...machinesOf().processes].map(({ host }) => host));
      for (const node of nodes.filter((one) => !busy.has(one))) run(job, node);
    }
  }

  function run(job: Job, node: Host): void {
    const index = job.waiting.shift();
    if (index === undefined) return;
    const process = startWorker(machinesOf(), node, { ...job.task, index });
    job.running.set(index, process);
    process.onEnd.push((code) => {
      if (job.running.get(index) !== process) return;
      job.running.delete(index);
      if (code === undefined) job.waiting.push(index);
      else if (code !== 0) Object.assign(job, { isFailed: true });
      schedule();
    });
  }

  const again = () => {
    schedule();
    time.schedule(LOST_MS, again);
  };
  time.schedule(LOST_MS, again);

  return {
    run(name: string, args: readonly string[]): string {
      if (name === "squeue")
        return [...jobs.values()]
          .filter(isLeft)
          .map(({ id }) => `${id}\n`)
          .join("");
      if (name === "scancel") {
        for (const id of args) {
          for (const process of jobs.get(id)?.running.values() ?? []) machinesOf().kill(process);
          jobs.delete(id);
        }
        return "";
      }
      const value = (option: string) =>
        args.find((arg) => arg.startsWith(`--${option}=`))?.slice(option.length + 3) ?? "";
      const [, plan, build, stage, memory, offset] = WRAPPED.exec(value("wrap")) ?? [];
      if (name !== "sbatch" || plan === undefined || build === undefined || stage === undefined)
        throw new Error(`not simulated: ${name} ${args.join(" ")}`);
      const waiting = value("array")
        .split(",")
        .flatMap((range) => {
          const [first = 0, last = first] = range.split("-").map(Number);
          return Array.from({ length: last - first + 1 }, (_, i) => first + i + Number(offset));
        });
      const id = `${++ids}`;
      const after = value("dependency").split(":").slice(1);
      jobs.set(id, {
        id,
        after,
        task: { plan, build, stage, memoryBytes: Number(memory) },
        waiting,
        running: new Map(),
        isFailed: false,
      });
      schedule();
      return `${id}\n`;
    },
  };
}
