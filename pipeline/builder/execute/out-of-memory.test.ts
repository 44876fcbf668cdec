import { mkdir, readdir, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openDatabase, quoteLiteral } from "../../base/database/database.ts";
import { startOf } from "../../base/disk/index.ts";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { hashTree } from "../../testing/hash-tree.ts";
import { withTooLittleMemory } from "../../testing/too-little-memory.ts";
import { buildDataset } from "../dataset/build.ts";
import type { Executor } from "./executor.ts";
import { localExecutor } from "./local-executor.ts";
import { processExecutor } from "./process-executor.ts";

/** Larger than any pid on Linux. */
const NO_PROCESS = 2 ** 22 + 1;

const newFolder = temporaryFolders();
let sources: string;

beforeAll(async () => {
  sources = await newFolder();
  await writeGeoJson(sources, "water.geojson", [point("a", 7.42, 43.73)]);
});

afterAll(() => {
  vi.unstubAllEnvs();
});

test("a task that runs out of memory gets twice as much, and leaves no file on a node's local disk", async () => {
  const [expected, scratch] = [await newFolder(), await newFolder()];
  await buildDataset({ sources: [sources], out: expected });
  vi.stubEnv("CAIRN_TEST_DISK", scratch);
  const leftBy = (pid: number, begun: string) => `cairn-scratch-${hostname()}-${pid}-${begun}-left`;
  const running = leftBy(process.pid, await startOf(process.pid));
  // Another process had the same pid.
  for (const left of [running, leftBy(process.pid, "1"), leftBy(NO_PROCESS, "1")])
    await mkdir(join(scratch, "cairn", left), { recursive: true });
  const given: (readonly [stage: string, memoryBytes: number])[] = [];
  const workers = processExecutor({
    workers: 1,
    onStart: (pid, { task, memoryBytes }) => {
      given.push([task.stage, memoryBytes]);
      // Node ends like this if its heap is full.
      if (given.length === 1) process.kill(pid, "SIGABRT");
    },
  });
  const out = join(await newFolder(), "dataset");
  const executor = withTooLittleMemory(workers, "survey", 1);
  const folder = "$CAIRN_TEST_DISK/cairn";
  await buildDataset({ sources: [sources], out, executor, memoryBytes: 2 ** 32, scratch: folder });
  expect(await hashTree(out)).toEqual(await hashTree(expected));
  const sizesOf = (wanted: string) => given.filter(([stage]) => stage === wanted).map(([, bytes]) => bytes / 2 ** 30);
  expect(sizesOf("scan")).toEqual([1, 2]);
  expect(sizesOf("survey")).toEqual([2 ** -10, 2]);
  expect(sizesOf("reduce")).toEqual([1]);
  expect(await readdir(join(scratch, "cairn"))).toEqual([running]);
});

test("a task that used all memory ends the build with DuckDB's message", async () => {
  const out = join(await newFolder(), "dataset");
  const executor = withTooLittleMemory(processExecutor({ workers: 1 }), "survey", 9);
  const build = buildDataset({ sources: [sources], out, executor, memoryBytes: 2 ** 30 });
  await expect(build).rejects.toThrow(
    /^water: stage survey used all of --memory \(1024MB\) and needs more: .*Out of Memory Error/,
  );
});

test("a small file that decodes to more than the memory ends the build with its name", async () => {
  const [folder, out] = [await newFolder(), join(await newFolder(), "dataset")];
  const file = join(folder, "place.parquet");
  const database = await openDatabase({ folder: await newFolder(), threads: 1 });
  try {
    await database.run(
      `COPY (SELECT * REPLACE (struct_update(names, "primary" := repeat('a', 100_000_000)) AS names)
        FROM 'data/sample/monaco/place.parquet' LIMIT 1) TO ${quoteLiteral(file)} (FORMAT parquet, COMPRESSION zstd)`,
    );
  } finally {
    database.close();
  }
  expect((await stat(file)).size).toBeLessThan(100_000);
  const build = buildDataset({ sources: [folder], out, threads: 1, memoryBytes: 100 * 2 ** 20 });
  await expect(build).rejects.toThrow(
    /^place: stage scan used all of --memory \(100MB\) and needs more: .*place\.parquet: Out of Memory Error/,
  );
});

test("two tasks of one process get half of its memory each, and all of it if half is too little", async () => {
  const [expected, out] = [await newFolder(), join(await newFolder(), "dataset")];
  const monaco = { sources: ["data/sample/monaco"], types: ["land", "water"], threads: 2 } as const;
  await buildDataset({ ...monaco, out: expected });
  const local = localExecutor();
  // Assumes that each task needs no memory.
  const sharing: Executor = {
    ...local,
    carryOut: (plan, work, onTask) =>
      local.carryOut(
        plan,
        work.map((stage) => ({ ...stage, tasks: stage.tasks.map((each) => ({ ...each, memoryBytes: 0 })) })),
        onTask,
      ),
  };
  const within = (mebibytes: number) =>
    buildDataset({ ...monaco, out, executor: sharing, memoryBytes: mebibytes * 2 ** 20 });
  await expect(within(60)).rejects.toThrow(/used all of --memory \(60MB\) and needs more: .*Out of Memory Error/);
  await within(120);
  expect(await hashTree(out)).toEqual(await hashTree(expected));
});
