import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ALL_COUNTRIES, type AnyRunName, isPage, type PartitionNode } from "../../../data/format/manifest.ts";
import { openDatabase, quoteLiteral } from "../../base/database/database.ts";
import { filesBelow } from "../../base/disk/files.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { hashTree } from "../../testing/hash-tree.ts";
import { type DatasetReader, readDataset } from "../../testing/read-dataset.ts";
import { verifyDataset } from "../../tools/verify/verify.ts";
import { type BuildOptions, buildDataset } from "../dataset/build.ts";
import type { IndexTask, Task } from "../plan/build-plan.ts";

const newFolder = temporaryFolders();

/** A few hundred divisions, so that a task has more countries than fit without a page. */
const INDEX_ROWS = 300;
const RUNS: readonly AnyRunName[] = ["location", "records", "term", "suggest", "find"];

let sources: string;
let whole: string;
let wholeNodes: Map<AnyRunName, string[]>;
let parted: string;
/** Tasks of the second build in the same folder. */
const done: string[] = [];

function build(out: string, options: Partial<BuildOptions>): Promise<unknown> {
  return buildDataset({ ...options, sources: [sources], out, keep: true });
}

async function tasksOf(out: string): Promise<IndexTask[]> {
  const plan = JSON.parse(await readFile(join(`${out}.build`, "plan.json"), "utf8"));
  const tasks: Task[] = plan.stages.flatMap((stage: { tasks: Task[] }) => stage.tasks);
  return tasks.filter((task): task is IndexTask => task.stage === "index");
}

/** Partitions of each run in order. Pages of a spatial index have another order. */
async function nodesOf(dataset: DatasetReader): Promise<Map<AnyRunName, string[]>> {
  const nodes = new Map<AnyRunName, string[]>();
  for (const run of RUNS) {
    const lines = (await dataset.nodes("division", run)).map((node: PartitionNode) => JSON.stringify(node));
    nodes.set(run, run === "location" ? lines.sort() : lines);
  }
  return nodes;
}

beforeAll(async () => {
  sources = await newFolder();
  const database = await openDatabase({ folder: await newFolder() });
  await database.run(`
    COPY (
      FROM 'data/sample/world/division.parquet'
      WHERE country < 'D' OR country > 'UT'
      QUALIFY row_number() OVER (PARTITION BY country ORDER BY id) <= 12 ORDER BY id
    ) TO ${quoteLiteral(join(sources, "division.parquet"))} (FORMAT parquet)`);
  database.close();
  whole = join(await newFolder(), "dataset");
  await build(whole, {});
  wholeNodes = await nodesOf(await readDataset(whole));
  expect(await tasksOf(whole)).toHaveLength(1);
  await build(whole, { indexRows: INDEX_ROWS, onProgress: ({ stage }) => done.push(stage) });
  parted = join(await newFolder(), "dataset");
  await build(parted, { indexRows: INDEX_ROWS, taskRows: 100 });
});

test("an index whose pages come from several tasks has the same partitions in the same order", async () => {
  const tasks = await tasksOf(whole);
  expect(tasks.length).toBeGreaterThan(2);
  expect(tasks.filter(({ hasWorldwide }) => hasWorldwide)).toHaveLength(1);
  // Only these tasks ran again.
  expect(done).toEqual(tasks.map(() => "index"));
  const dataset = await readDataset(whole);
  expect(await nodesOf(dataset)).toEqual(wholeNodes);
  const countries = (await dataset.nodes("division", "term")).map(({ country }) => country);
  expect(countries).toEqual([...countries].sort());
  expect(countries.indexOf(ALL_COUNTRIES)).toBe(0);
  // Check that the pages came from several tasks.
  expect(
    Object.values(dataset.manifest.collections).flatMap(({ runs }) => runs.records.nodes.filter(isPage)),
  ).not.toEqual([]);
});

test("verify finds no fault in it", async () => {
  expect((await verifyDataset(whole)).flatMap(({ faults }) => faults)).toEqual([]);
});

test("its bytes do not depend on how many rows other tasks sort", async () => {
  expect((await tasksOf(parted)).map(({ of }) => of)).not.toEqual((await tasksOf(whole)).map(({ of }) => of));
  expect(await hashTree(parted)).toEqual(await hashTree(whole));
});

test("pages of reused tasks are found in the dataset", async () => {
  const before = await hashTree(whole);
  for (const { key } of await tasksOf(whole))
    expect(await filesBelow(join(`${whole}.build`, "tasks", key))).toEqual(["record.json"]);
  await build(whole, { indexRows: INDEX_ROWS, release: "another" });
  const isSame = (line: string): boolean => !/^(catalog|manifest)\.json/.test(line);
  expect((await hashTree(whole)).filter(isSame)).toEqual(before.filter(isSame));
});
