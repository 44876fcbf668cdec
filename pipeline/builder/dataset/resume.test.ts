import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { access, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test, vi } from "vitest";
import { parseManifest } from "../../../data/format/manifest-schema.ts";
import { MANIFEST_PATH } from "../../../data/format/paths.ts";
import { filesBelow } from "../../base/disk/files.ts";
import { bundle } from "../../testing/bundle.ts";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { hashTree } from "../../testing/hash-tree.ts";
import { writeSmallSources } from "../../testing/small-sources.ts";
import { verifyDataset } from "../../tools/verify/verify.ts";
import type { Assignment } from "../execute/executor.ts";
import { processExecutor } from "../execute/process-executor.ts";
import { STAGE_NAMES } from "../plan/build-plan.ts";
import { buildDataset } from "./build.ts";

// Starts about fifty processes, in parallel with other tests.
vi.setConfig({ testTimeout: 400_000 });

const TASK_ROWS = 250;
/** Small, so that several tasks publish. */
const SHARE_BYTES = 2 ** 20;
const KILLS = 50;
/**
 * Maximum part of a build that the first process does before it is killed. Each later process may do this much more.
 */
const PART_OF_A_BUILD = 0.1;
const NEVER_MS = 300_000;

const newFolder = temporaryFolders();
let script: string;
let source: string;

beforeAll(async () => {
  script = await bundle(fileURLToPath(new URL("../../testing/build-process.ts", import.meta.url)));
  source = await newFolder();
  await writeSmallSources(source);
});

interface Built {
  readonly out: string;
  readonly hashes: readonly string[];
  /** The stage of each finished task. */
  readonly done: readonly string[];
  readonly ms: number;
}

interface BuildAgain {
  readonly out?: string;
  readonly force?: boolean;
  readonly shareBytes?: number;
}

async function build(from: string, { out, force, shareBytes }: BuildAgain = {}): Promise<Built> {
  const into = out ?? join(await newFolder(), "dataset");
  const done: string[] = [];
  const onProgress = ({ stage, collection }: { stage: string; collection: string }) =>
    done.push(`${stage} ${collection}`);
  const start = performance.now();
  await buildDataset({ sources: [from], out: into, taskRows: TASK_ROWS, shareBytes, keep: true, force, onProgress });
  return { out: into, hashes: await hashTree(into), done, ms: performance.now() - start };
}

function startBuild(from: string, out: string, stage?: string): ChildProcess {
  return fork(script, stage === undefined ? [from, out] : [from, out, stage]);
}

/** Few sources, for tests that do not depend on their number. */
async function someSources(...names: string[]): Promise<string> {
  const folder = await newFolder();
  for (const name of names) await cp(join(source, name), join(folder, name), { recursive: true });
  return folder;
}

/** Renames a division. */
async function changeDivision(folder: string): Promise<void> {
  const path = join(folder, "division.geojson");
  await writeFile(path, (await readFile(path, "utf8")).replace('"primary":"MC"', '"primary":"Monaco"'));
}

test("a build that is killed in every stage continues from there and gives the same bytes", async () => {
  const expected = await build(source, { shareBytes: SHARE_BYTES });
  expect(expected.hashes).toEqual((await build(source)).hashes);
  const out = join(await newFolder(), "dataset");
  const done: string[] = [];
  for (const stage of STAGE_NAMES) {
    const child = startBuild(source, out, stage);
    child.on("message", (message) => message !== "started" && done.push(String(message)));
    const [, signal] = await once(child, "exit");
    expect([stage, signal]).toEqual([stage, "SIGKILL"]);
    await expect(access(join(out, MANIFEST_PATH))).rejects.toThrow("ENOENT");
    // Finished tasks stay finished, but the last message to this process may be lost.
    const finished = (await readdir(join(`${out}.build`, "tasks"))).length;
    expect(finished).toBeGreaterThanOrEqual(done.length);
    const before = expected.done.map((task) => task.split(" ")[0]).indexOf(stage);
    // The first task of the stage, and possibly one that ran in parallel.
    expect([before + 1, before + 2]).toContain(finished);
  }
  const last = await build(source, { out, shareBytes: SHARE_BYTES });
  // Published files may come from another build, so that stage runs again.
  expect(last.done.toSorted()).toEqual(expected.done.filter((task) => task.startsWith("publish")).sort());
  expect(last.hashes).toEqual(expected.hashes);
});

test("a killed worker is replaced, also while it publishes", async () => {
  const from = await someSources("division.geojson");
  const expected = await build(from, { shareBytes: SHARE_BYTES });
  const out = join(await newFolder(), "dataset");
  let started = 0;
  let publishing = 0;
  const onStart = (pid: number, { task }: Assignment) => {
    if (started++ < 2) process.kill(pid, "SIGKILL");
    if (task.stage === "publish" && publishing++ === 0) void killWithFirstFile(pid, out);
  };
  const executor = processExecutor({ workers: 2, onStart });
  await buildDataset({ sources: [from], out, taskRows: TASK_ROWS, shareBytes: SHARE_BYTES, executor });
  expect(started).toBeGreaterThanOrEqual(expected.done.length + 2);
  expect(publishing).toBeGreaterThan(1);
  expect(await hashTree(out)).toEqual(expected.hashes);
});

/** Kills the process when the dataset has its first file, unless it ended before. */
async function killWithFirstFile(pid: number, out: string): Promise<void> {
  while ((await filesBelow(out)).length === 0) await setTimeout(1);
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe("ESRCH");
  }
}

test("existing checkpoints are reused unless --force is set", async () => {
  const from = await someSources("division.geojson");
  const first = await build(from);
  const again = await build(from, { out: first.out });
  const forced = await build(from, { out: first.out, force: true });
  expect([again.done.length, forced.done.length]).toEqual([0, first.done.length]);
  expect([again.hashes, forced.hashes]).toEqual([first.hashes, first.hashes]);
});

test("a checkpoint that a power failure truncated is rebuilt", async () => {
  const from = await someSources("division.geojson");
  const first = await build(from);
  const tasks = join(`${first.out}.build`, "tasks");
  const [noRecord = "", emptyRecord = ""] = await readdir(tasks);
  await rm(join(tasks, noRecord, "record.json"));
  await writeFile(join(tasks, noRecord, "part.tmp"), "so that the folder is not empty");
  await writeFile(join(tasks, emptyRecord, "record.json"), "");
  const again = await build(from, { out: first.out });
  expect(again.done).toHaveLength(2);
  expect(again.hashes).toEqual(first.hashes);
});

test("a changed source is read again, and only tasks that depend on it run", async () => {
  const changed = await someSources("first", "second", "division.geojson");
  const { out } = await build(changed);
  await changeDivision(changed);
  const { done } = await build(changed, { out });
  expect(done.filter((task) => task.startsWith("scan"))).toEqual(["scan division"]);
  expect(done.filter((task) => !task.endsWith("division"))).toEqual([]);
});

/** Too long for many records to fit into the dictionary. */
const WEBSITE = `https://${"a-place-by-the-sea.".repeat(60)}example`;

/** Writes places and their buildings for two countries, one file each. One American place gets the name. */
async function writeTwoCountries(folder: string, named: string): Promise<void> {
  for (const [country, lon, lat] of [
    ["JP", 139.75, 35.68],
    ["US", -105.28, 40.015],
  ] as const) {
    await mkdir(join(folder, country), { recursive: true });
    for (const type of ["place", "building"]) {
      const features = Array.from({ length: 300 }, (_, index) => {
        const primary = country === "US" && index === 250 ? named : `Place ${index}`;
        const properties = type === "place" ? { names: { primary }, websites: [WEBSITE] } : {};
        const [x, y] = [lon + (index % 20) / 1000, lat + Math.floor(index / 20) / 1000];
        return point(`${type}-${country}-${index}`, x, y, properties);
      });
      await writeGeoJson(join(folder, country), `${type}.geojson`, features);
    }
  }
}

interface TaskOfBuild {
  readonly key: string;
  readonly stage: string;
  readonly collection: string;
  readonly bucket?: number;
  readonly run?: string;
  readonly of?: readonly [start: number, end: number];
}

test("a renamed row repeats the tasks of its country and the global tasks; other tasks are reused", async () => {
  const from = await newFolder();
  await writeTwoCountries(from, "A name");
  const { out } = await build(from);
  const tasks = join(`${out}.build`, "tasks");
  const before = new Set(await readdir(tasks));
  await writeTwoCountries(from, "Another name");
  const again = await build(from, { out });
  const ran: string[] = [];
  const plan = JSON.parse(await readFile(join(`${out}.build`, "plan.json"), "utf8"));
  const all: TaskOfBuild[] = plan.stages.flatMap((stage: { tasks: TaskOfBuild[] }) => stage.tasks);
  for (const { key, stage, collection, bucket, of, run } of all) {
    const record = JSON.parse(await readFile(join(tasks, key, "record.json"), "utf8"));
    const where = run ?? bucket ?? of?.join("-") ?? "";
    if (!before.has(key) && record.keptFrom === undefined) ran.push(`${stage} ${collection} ${where}`.trim());
  }
  // One of the two buckets of each country is empty.
  expect(ran).toEqual([
    "scan place",
    "duplicates place",
    "tally place",
    "survey place",
    "number place 2",
    "join place_building 2",
    "duplicates_join place_building",
    "tally_join place_building",
    "survey_join place_building",
    "number_join place_building 2",
    "reduce place 2",
    "reduce place_building 2",
    "ids place 2",
    "ids place_building 2",
    "terms place 2-4",
    "terms place_building 2-4",
    "derive place count_cell",
    "derive place_building count_cell",
    "derive place find",
    "derive place_building find",
    "derive place count_brand",
    "derive place count_category",
    "derive place count_country",
    "index place 0-4",
    "index place_building 0-4",
  ]);
  expect(again.hashes).toEqual((await build(from)).hashes);
});

test(`a build killed at ${KILLS} moments always leaves a complete dataset, and the next build finishes`, async () => {
  const sources = [await someSources("first", "division.geojson"), await someSources("first", "division.geojson")];
  await changeDivision(sources[1] ?? "");
  const wanted = [await build(sources[0] ?? ""), await build(sources[1] ?? "")];
  const start = performance.now();
  await killedAfter(startBuild(sources[0] ?? "", join(await newFolder(), "dataset")), NEVER_MS);
  const buildMs = performance.now() - start;
  const out = join(await newFolder(), "dataset");
  const random = randomNumbers(6);
  let kills = 0;
  for (let turn = 0; kills < KILLS; turn++) {
    const from = sources[turn % 2] ?? source;
    // Repeat until one build finishes: so kills happen in all parts of a build.
    for (let parts = 1; ; parts++) {
      const isKilled = await killedAfter(startBuild(from, out), random() * buildMs * PART_OF_A_BUILD * parts);
      await expectWhole(out, wanted);
      if (!isKilled) break;
      kills++;
    }
    expect(await hashTree(out)).toEqual(wanted[turn % 2]?.hashes);
  }
  expect((await verifyDataset(out)).flatMap(({ faults }) => faults)).toEqual([]);
});

/** Kills the build after this time. Returns false if it finished before. */
async function killedAfter(child: ChildProcess, ms: number): Promise<boolean> {
  const ended = once(child, "exit");
  await once(child, "message");
  await Promise.race([setTimeout(ms), ended]);
  child.kill("SIGKILL");
  const [code, signal] = await ended;
  expect([0, null]).toContain(code);
  return signal === "SIGKILL";
}

/** Every file that the manifest names exists and belongs to one of the datasets. */
async function expectWhole(out: string, wanted: readonly Built[]): Promise<void> {
  const text = await readFile(join(out, MANIFEST_PATH), "utf8").catch(() => undefined);
  if (text === undefined) return;
  parseManifest(JSON.parse(text));
  const there = new Set(await hashTree(out));
  const manifest = [...there].find((line) => line.startsWith(`${MANIFEST_PATH} `)) ?? "";
  const whole = wanted.find(({ hashes }) => hashes.includes(manifest))?.hashes ?? [];
  const immutable = whole.filter((line) => /\/[0-9a-f]{16}\.\w+ /.test(line));
  expect(immutable.length).toBeGreaterThan(0);
  expect(immutable.filter((line) => !there.has(line))).toEqual([]);
}

/** Reproducible pseudo-random numbers from 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
