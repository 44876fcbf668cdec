/**
 * `npm run bench:planet`: makes the plan and the complete index of a generated planet, each step in a process with a
 * heap of
 * 2 GiB. Writes times and memory to docs/benchmarks.md. `--folder` needs 6 GB.
 * @module
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { planPath, readPlan } from "../../pipeline/builder/plan/index.ts";
import { readSettlements } from "../../pipeline/testing/made-up-index.ts";
import { countriesOfTask, indexTasks, type Planet, planPlanet } from "../../pipeline/testing/made-up-planet.ts";
import type { StepDone } from "../../pipeline/testing/planet-process.ts";
import { HEAP_MIB, planetSteps } from "../../pipeline/testing/planet-steps.ts";
import { readOptions } from "../support/options.ts";
import { machine } from "./pipeline/report.ts";
import { writeResult } from "./results.ts";

const { values } = readOptions({
  usage: "npm run bench:planet -- [--folder <a folder with room>]",
  options: { folder: { type: "string", default: tmpdir() } },
});

interface IndexedTask extends StepDone {
  readonly collection: string;
  readonly countries: string;
  readonly rows: number;
}

const work = await mkdtemp(join(values.folder, "cairn-planet-"));
const load = loadavg()[0] ?? 0;
try {
  const run = await planetSteps(work, 1);
  const planned = await run(["plan"]);
  const planet = planPlanet({ work, share: 1, settlements: await readSettlements() });
  await run(["facts"]);
  const indexed: IndexedTask[] = [];
  for (const place of indexTasks(await readPlan(planPath(work))).keys()) {
    await run(["partitions"], [place]);
    const indexing = { ...whatHas(planet, place), ...(await run(["index"], [place])) };
    console.error(lineOf(indexing));
    indexed.push(indexing);
  }
  const finished = await run(["finish"]);
  const section = { name: "planet", command: "npm run bench:planet" };
  await writeResult(section, reportOf({ planned, indexed, finished }));
} finally {
  await rm(work, { recursive: true, force: true });
}

function whatHas(planet: Planet, place: number): Pick<IndexedTask, "collection" | "countries" | "rows"> {
  const task = indexTasks(planet.plan)[place];
  if (!task) throw new Error(`the plan has no index task ${place}`);
  const countries = countriesOfTask(planet, task);
  const [first, last] = [countries[0]?.country ?? "", countries.at(-1)?.country ?? ""];
  const rows = countries.reduce((sum, country) => sum + country.rows, 0);
  return { collection: task.collection, countries: first === last ? first : `${first} to ${last}`, rows };
}

interface Measured {
  readonly planned: StepDone;
  readonly indexed: readonly IndexedTask[];
  readonly finished: StepDone;
}

function reportOf({ planned, indexed, finished }: Measured): string {
  const all = (member: "rows" | "partitions" | "processorSeconds" | "seconds"): number =>
    indexed.reduce((sum, task) => sum + task[member], 0);
  const most = indexed.reduce((least, task) => (task.residentBytes > least.residentBytes ? task : least));
  return [
    `Written by \`npm run bench:planet\`, from row counts of a planet: each country's share of rows is its share of people in the sample, and slices have the row counts of built datasets. ${HEAP_MIB / 1024} GiB of heap for each process, one at a time.`,
    "",
    `Machine: ${machine()}; load average before: ${load.toFixed(1)}.`,
    "",
    `- **Plan** of ${figure(planned.tasks)} tasks, ${megabytes(planned.bytes)} MB: ${times(planned)}.`,
    `- **Pages** of ${figure(all("partitions"))} partitions of ${figure(all("rows"))} rows, ${indexed.length} tasks: ${all("seconds").toFixed(0)} s, ${all("processorSeconds").toFixed(0)} s of a processor; the largest took ${mebibytes(most.residentBytes)} MiB.`,
    `- **Roots and manifest**, ${Math.round(finished.bytes / 1000)} KB, from those pages: ${times(finished)}.`,
    "",
    "| pages of | countries | rows, millions | partitions | s | processor s | memory, MiB |",
    "|---|---|---|---|---|---|---|",
    ...indexed.map(lineOf),
  ].join("\n");
}

function lineOf({
  collection,
  countries,
  rows,
  partitions,
  seconds,
  processorSeconds,
  residentBytes,
}: IndexedTask): string {
  const cells = [collection, countries, (rows / 1e6).toFixed(0), figure(partitions), seconds.toFixed(1)];
  return `| ${[...cells, processorSeconds.toFixed(1), mebibytes(residentBytes)].join(" | ")} |`;
}

function times({ seconds, processorSeconds, residentBytes }: StepDone): string {
  return `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of a processor, ${mebibytes(residentBytes)} MiB`;
}

function figure(count: number): string {
  return count.toLocaleString("en-US");
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
