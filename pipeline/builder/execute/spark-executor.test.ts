import { spawn } from "node:child_process";
import { cp, readdir, readFile, stat, truncate } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, expect, test, vi } from "vitest";
import { lineOf } from "../../../e2e/support/processes.ts";
import { haveSpark, startCluster } from "../../../e2e/support/spark.ts";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { hashTree } from "../../testing/hash-tree.ts";
import { writeSmallSources } from "../../testing/small-sources.ts";
import { withTooLittleMemory } from "../../testing/too-little-memory.ts";
import { buildDataset } from "../dataset/build.ts";
import { readPlan, taskFolder } from "../plan/index.ts";
import { sparkExecutor } from "./spark-executor.ts";

// Spark may have to be downloaded first.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 });

const newFolder = temporaryFolders();

const lacking = await haveSpark();
if (lacking !== undefined) console.warn(`Spark is not tested: ${lacking}`);

/** Small, so that most stages have two tasks. */
const TASK_ROWS = 2;
/** Small, so that several tasks publish. */
const SHARE_BYTES = 2 * 2 ** 20;
const POLL_MS = 50;
const COMMON = { taskRows: TASK_ROWS, memoryBytes: 2 ** 31, threads: 1, keep: true };
const CONF = ["spark.ui.enabled=false"];

const closed: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closed) await close();
});

interface Killing {
  readonly sources: string;
  /** Output of the scan in another build of the same sources. */
  readonly scanned: string;
  readonly master: string;
  /** A word in the command line of the process to kill. */
  readonly victim: string;
}

async function smallSource(): Promise<string> {
  const [all, folder] = [await newFolder(), await newFolder()];
  await writeSmallSources(all);
  await cp(join(all, "division.geojson"), join(folder, "division.geojson"));
  return folder;
}

/**
 * Builds from the scan on, and kills the Spark process that is an ancestor of the first task. Returns that task's
 * process.
 */
async function buildAndKill({ sources, scanned, master, victim }: Killing): Promise<{ out: string; lost: number }> {
  const out = join(await newFolder(), "dataset");
  // With finished scans, Spark starts only once before it publishes.
  await cp(scanned, join(`${out}.build`, "tasks", basename(scanned)), { recursive: true });
  let isOver = false;
  const build = buildDataset({
    ...COMMON,
    sources: [sources],
    out,
    shareBytes: SHARE_BYTES,
    executor: sparkExecutor({ master, conf: CONF }),
  }).finally(() => {
    isOver = true;
  });
  let lost = 0;
  while (!isOver && lost === 0) {
    await setTimeout(POLL_MS);
    const line = await lineOf(` worker --plan ${out}.build/plan.json `);
    const found = line.find(({ command }) => command.includes(victim));
    if (!found) continue;
    process.kill(found.pid, "SIGKILL");
    lost = line[0]?.pid ?? 0;
  }
  await build;
  return { out, lost };
}

async function logsOf(out: string): Promise<string> {
  const logs = join(`${out}.build`, "logs");
  return (await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), "utf8")))).join("");
}

test.skipIf(lacking !== undefined)(
  "Spark gives the same bytes, also if it loses an executor and then a node",
  async () => {
    const [sources, expected] = [await smallSource(), join(await newFolder(), "dataset")];
    await buildDataset({ ...COMMON, sources: [sources], out: expected });
    const { work, stages } = await readPlan(`${expected}.build/plan.json`);
    const scanned = taskFolder(work, stages[0]?.tasks[0]?.key ?? "");
    const cluster = await startCluster(await newFolder(), 2);
    closed.push(cluster.close);
    const hashes = await hashTree(expected);
    for (const [master, victim] of [
      ["local-cluster[2,1,1024]", "CoarseGrainedExecutorBackend"],
      [cluster.master, "deploy.worker.Worker"],
    ] as const) {
      const { out, lost } = await buildAndKill({ sources, scanned, master, victim });
      expect(await hashTree(out)).toEqual(hashes);
      expect((await readPlan(`${out}.build/plan.json`)).stages.at(-1)).toMatchObject({ name: "publish" });
      expect(await logsOf(out)).toMatch(/Lost executor/);
      // The lost task did not continue.
      expect(lost).toBeGreaterThan(0);
      await expect.poll(() => stat(`/proc/${lost}`).catch(() => undefined)).toBeUndefined();
    }
  },
);

test.skipIf(lacking !== undefined)(
  "a task that runs out of memory is tried again, and its message then ends the build",
  async () => {
    const [broken, out] = [await newFolder(), join(await newFolder(), "dataset")];
    const path = await writeGeoJson(broken, "water.geojson", [point("a", 7.42, 43.73)]);
    await truncate(path, (await stat(path)).size - 2);
    const build = buildDataset({
      ...COMMON,
      sources: [broken],
      out,
      executor: withTooLittleMemory(sparkExecutor({ master: "local[1]", conf: CONF }), "scan", 1),
    });
    await expect(build).rejects.toThrow(/water\.geojson: not valid JSON/);
  },
);

test.skipIf(lacking !== undefined)("a killed build also ends the Spark application that it submitted", async () => {
  const [source, out] = [await newFolder(), join(await newFolder(), "dataset")];
  await writeGeoJson(source, "water.geojson", [point("a", 7.42, 43.73)]);
  const args = ["build", source, "--out", out, "--executor", "spark", "--spark-master", "local[1]", "--threads", "1"];
  const build = spawn(process.execPath, ["--import", "tsx", "pipeline/cli/main.ts", ...args], { stdio: "inherit" });
  closed.push(async () => {
    build.kill("SIGKILL");
  });
  const running = async () => (await lineOf(` worker --plan ${out}.build/plan.json `)).map(({ pid }) => pid);
  await expect.poll(running, { timeout: 300_000, interval: POLL_MS }).not.toEqual([]);
  const line = await running();
  build.kill("SIGKILL");
  const own = line.slice(0, line.indexOf(build.pid ?? 0));
  expect(own.length).toBeGreaterThan(2);
  for (const pid of own) {
    await expect.poll(() => stat(`/proc/${pid}`).catch(() => undefined), { timeout: 300_000 }).toBeUndefined();
  }
});

test.skipIf(lacking !== undefined)("a configuration that Spark rejects is reported with the reason", async () => {
  const executor = sparkExecutor({ master: "nowhere", conf: CONF });
  const build = buildDataset({
    ...COMMON,
    sources: [await smallSource()],
    out: join(await newFolder(), "dataset"),
    executor,
  });
  await expect(build).rejects.toThrow(/--executor spark: Exception in .*Master must .*; more in .*spark-\d+\.log/);
});
