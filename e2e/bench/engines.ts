/**
 * Checks that every executor makes the same bytes, although each loses a worker. Builds one synthetic source in one
 * process, in several processes, with Slurm and with Spark. Compares the hashes of all files. Needs root, Debian and
 * Java. Exits with 1 if a file differs.
 *
 * npm run bench:engines -- [--places 1000000] [--buildings 200000] [--task-rows 250000] [--folder <scratch>]
 * [--write]
 * @module
 */
import { execFile, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { type BuildPlan, planPath, readPlan, tasksFolder } from "../../pipeline/builder/plan/index.ts";
import { hashTree } from "../../pipeline/testing/hash-tree.ts";
import { readOptions } from "../support/options.ts";
import { lineOf } from "../support/processes.ts";
import { haveSpark, startCluster } from "../support/spark.ts";
import { writeResult } from "./results.ts";

const run = promisify(execFile);
const SLURM = "pipeline/builder/execute/testing/local-cluster.sh";
const NODES = 2;
const LOOK_MS = 500;
/** A worker is killed when this share of the tasks is done. */
const SHARE_DONE = 0.4;

const { values, refuse } = readOptions({
  usage:
    "npm run bench:engines -- [--places 1000000] [--buildings 200000] [--task-rows 250000] [--folder <scratch>] [--write]",
  options: {
    places: { type: "string", default: "1000000" },
    buildings: { type: "string", default: "200000" },
    "task-rows": { type: "string", default: "250000" },
    folder: { type: "string", default: tmpdir() },
    write: { type: "boolean", default: false },
  },
});
for (const name of ["places", "buildings", "task-rows"] as const) {
  if (!/^[1-9]\d*$/.test(values[name])) throw refuse(`--${name} has ${values[name]}, expected a number of rows`);
}

/** Kills a worker with a task of the plan and returns its name; undefined if there is none. */
type Lose = (plan: string) => Promise<string | undefined>;

interface Engine {
  readonly name: string;
  readonly args: readonly string[];
  readonly lose?: Lose;
}

interface Built {
  readonly name: string;
  readonly seconds: number;
  readonly lost: string;
  readonly files: number;
  readonly differ: number;
}

/** Kills a worker process of the build or one of its ancestors, by a word of its command. */
function losing(word: string, what: string): Lose {
  return async (plan) => {
    const line = await lineOf(` worker --plan ${plan} `);
    const found = line.find(({ command }) => command.includes(word));
    if (found) process.kill(found.pid, "SIGKILL");
    return found && what;
  };
}

function losingNode(cluster: string): Lose {
  return async () => {
    const { stdout } = await run("squeue", ["--noheader", "--states=RUNNING", "--format=%N"]);
    const [node] = stdout.split("\n").filter((name) => name !== "");
    if (node !== undefined) await run(SLURM, ["kill-node", cluster, node]);
    return node && `node ${node}`;
  };
}

/** Time, lost worker, and hashes of the files. */
async function build(source: string, scratch: string, { name, args, lose }: Engine) {
  const out = join(scratch, "dataset");
  const common = ["build", source, "--out", out, "--task-rows", values["task-rows"], "--memory", "8GB"];
  const start = performance.now();
  const child = spawn(process.execPath, ["--import", "tsx", "pipeline/cli/main.ts", ...common, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let code: number | null | undefined;
  child.once("exit", (value) => {
    code = value;
  });
  let lost: string | undefined;
  while (code === undefined) {
    await setTimeout(LOOK_MS);
    if (lose && lost === undefined && (await shareDone(`${out}.build`)) > SHARE_DONE) {
      lost = await lose(planPath(`${out}.build`));
    }
  }
  if (code !== 0) throw new Error(`${name}: the build ended with ${code}`);
  if (lose && lost === undefined) throw new Error(`${name}: no worker was lost`);
  const seconds = (performance.now() - start) / 1000;
  return { seconds, lost: lost ?? "-", hashes: await hashTree(out) };
}

/** Share of finished tasks; 0 before the complete plan exists. */
async function shareDone(work: string): Promise<number> {
  const plan: BuildPlan | undefined = await readPlan(planPath(work)).catch(() => undefined);
  const tasks = plan?.stages.flatMap((stage) => stage.tasks) ?? [];
  if (!tasks.some(({ stage }) => stage === "reduce")) return 0;
  const done = new Set(await readdir(tasksFolder(work)).catch(() => []));
  return tasks.filter(({ key }) => done.has(key)).length / tasks.length;
}

const lacking = await haveSpark();
if (lacking !== undefined) throw new Error(`Spark cannot be started: ${lacking}`);
await mkdir(values.folder, { recursive: true });
const scratch = await mkdtemp(join(values.folder, "cairn-engines-"));
// Every user needs access to munge's socket.
await chmod(scratch, 0o755);
const slurm = join(scratch, "slurm");
const source = join(scratch, "source");
const load = loadavg()[0] ?? 0;
let spark: Awaited<ReturnType<typeof startCluster>> | undefined;
try {
  const synth = ["--import", "tsx", "e2e/bench/synth/main.ts", source];
  await run(process.execPath, [...synth, "--places", values.places, "--buildings", values.buildings]);
  await run(SLURM, ["up", slurm, String(NODES)]);
  process.env.SLURM_CONF = join(slurm, "slurm.conf");
  spark = await startCluster(join(scratch, "spark"), NODES, "6g");
  const onSpark = (master: string) => ["--executor", "spark", "--threads", "1", "--spark-master", master];
  const engines: readonly Engine[] = [
    { name: "one process", args: [] },
    { name: "two processes", args: ["--workers", "2", "--threads", "1"], lose: losing("--plan", "a process") },
    { name: "Slurm, two nodes", args: ["--executor", "slurm", "--threads", "1"], lose: losingNode(slurm) },
    {
      name: "Spark, local-cluster",
      args: onSpark("local-cluster[2,1,1024]"),
      lose: losing("CoarseGrainedExecutorBackend", "an executor"),
    },
    {
      name: "Spark, a master and two workers",
      args: onSpark(spark.master),
      lose: losing("deploy.worker.Worker", "a worker"),
    },
  ];
  const all: Built[] = [];
  let expected: readonly string[] = [];
  for (const engine of engines) {
    const folder = await mkdtemp(join(scratch, "build-"));
    const { seconds, lost, hashes } = await build(source, folder, engine);
    if (expected.length === 0) expected = hashes;
    const known = new Set(expected);
    const differ = hashes.filter((line) => !known.has(line)).length + Math.max(0, expected.length - hashes.length);
    all.push({ name: engine.name, seconds, lost, files: hashes.length, differ });
    console.log(`${engine.name}: ${seconds.toFixed(0)} s, lost ${lost}, ${differ} files differ`);
    await rm(folder, { recursive: true, force: true });
  }
  if (all.some(({ differ }) => differ > 0)) process.exitCode = 1;
  const count = (text: string): string => Number(text).toLocaleString("en");
  const report = [
    `Written by \`npm run bench:engines\`: ${count(values.places)} synthetic places and ${count(values.buildings)} buildings in tasks of ${count(values["task-rows"])} rows, all engines on one machine of ${availableParallelism()} processors, load ${load.toFixed(1)} before. Each but the first loses what is named when ${SHARE_DONE * 100} % of the tasks are done.`,
    "",
    "| engine | lost on the way | time, s | files | with other bytes than the first's |",
    "|---|---|---:|---:|---:|",
    ...all.map(
      ({ name, lost, seconds, files, differ }) =>
        `| ${name} | ${lost} | ${seconds.toFixed(0)} | ${files} | ${differ} |`,
    ),
  ].join("\n");
  console.log(report);
  if (values.write) {
    await writeResult({ name: "engines", command: "npm run bench:engines" }, report);
  }
} finally {
  await spark?.close();
  await run(SLURM, ["down", slurm]).catch(() => {});
  await rm(scratch, { recursive: true, force: true });
}
