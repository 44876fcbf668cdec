/**
 * Steps of a generated planet build, in its own process with a limited heap:
 * `<folder> <share> <step,step> [indices of index tasks]`. Reports time and memory of the last step to its parent.
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FOLD_VERSION } from "../../data/format/fold.ts";
import { FORMAT_VERSION } from "../../data/format/manifest.ts";
import { writeManifestFile } from "../../data/format/manifest-file.ts";
import { writeWhole } from "../base/disk/files.ts";
import { planPath, readPlan } from "../builder/plan/build-plan.ts";
import { readFacts } from "../builder/plan/records.ts";
import { finishIndexes } from "../builder/publish/finish-indexes.ts";
import type { IndexFacts } from "../builder/stages/index-pages.ts";
import { runTask } from "../builder/stages/run-task.ts";
import { readSettlements } from "./made-up-index.ts";
import {
  indexTasks,
  type Planet,
  planPlanet,
  tasksOf,
  writeFacts,
  writeMadeUpPages,
  writePartitions,
} from "./made-up-planet.ts";

/** Report of a finished step. */
export interface StepDone {
  /** Processor seconds without the generation of data. They depend less on other load than elapsed time. */
  readonly seconds: number;
  readonly processorSeconds: number;
  /** Peak memory of the process. */
  readonly residentBytes: number;
  readonly tasks: number;
  readonly partitions: number;
  /** Bytes of the plan or of the manifest. */
  readonly bytes: number;
}

type Done = Partial<Omit<StepDone, "residentBytes">>;

const [, , folder = "", share = "1", wanted = "", ...places] = process.argv;

type Times = Pick<StepDone, "seconds" | "processorSeconds">;

async function timed<Result>(work: () => Promise<Result> | Result): Promise<{ made: Result; times: Times }> {
  const [start, used] = [performance.now(), process.cpuUsage()];
  const made = await work();
  const { user, system } = process.cpuUsage(used);
  return { made, times: { seconds: (performance.now() - start) / 1000, processorSeconds: (user + system) / 1e6 } };
}

let made: Promise<Planet> | undefined;

function planet(): Promise<Planet> {
  made ??= readSettlements().then((settlements) => planPlanet({ work: folder, share: Number(share), settlements }));
  return made;
}

async function pick() {
  const plan = await readPlan(planPath(folder));
  const tasks = indexTasks(plan);
  return { plan, tasks: places.flatMap((place) => tasks[Number(place)] ?? []) };
}

const steps: Readonly<Record<string, () => Promise<Done>>> = {
  plan: async () => {
    const settlements = await readSettlements();
    const { made, times } = await timed(() => planPlanet({ work: folder, share: Number(share), settlements }));
    const text = JSON.stringify(made.plan);
    await writeWhole(planPath(folder), text);
    return { ...times, tasks: tasksOf(made.plan).length, bytes: Buffer.byteLength(text) };
  },
  facts: async () => {
    await writeFacts(await planet());
    return {};
  },
  partitions: async () => {
    const made = await planet();
    for (const task of (await pick()).tasks) await writePartitions(made, task);
    return {};
  },
  "other pages": async () => {
    const made = await planet();
    for (const [place, task] of indexTasks(made.plan).entries())
      if (!places.includes(String(place))) await writeMadeUpPages(made, task);
    return {};
  },
  index: async () => {
    const { plan, tasks } = await pick();
    const locator = () => Promise.reject(new Error("no task of the index looks for countries"));
    const { times } = await timed(async () => {
      for (const task of tasks) await runTask(plan, task, { locator, memoryBytes: task.memoryBytes });
    });
    let partitions = 0;
    for (const { key } of tasks)
      for (const run of (await readFacts<IndexFacts>(folder, key)).runs) partitions += run.partitions;
    return { ...times, tasks: tasks.length, partitions };
  },
  finish: async () => {
    const plan = await readPlan(planPath(folder));
    const into = join(folder, "finish");
    await mkdir(into, { recursive: true });
    const { made: bytes, times } = await timed(async () => {
      const collections = await finishIndexes(plan, into);
      const rejects = { rows: 0, bytes: 0, sha256: "0".repeat(64), reasons: {} };
      const result = { release: "planet", fold_version: FOLD_VERSION, attribution: [], rejects, collections };
      return writeManifestFile({ format: "cairn", format_version: FORMAT_VERSION, ...result });
    });
    await writeFile(join(into, "manifest.json"), bytes);
    return { ...times, bytes: bytes.byteLength };
  },
};

let done: Done = {};
for (const step of wanted.split(",")) {
  const run = steps[step];
  if (!run) throw new Error(`no step ${step}`);
  done = await run();
}
const result: StepDone = {
  seconds: 0,
  processorSeconds: 0,
  tasks: 0,
  partitions: 0,
  bytes: 0,
  ...done,
  residentBytes: process.resourceUsage().maxRSS * 1024,
};
process.send?.(result);
