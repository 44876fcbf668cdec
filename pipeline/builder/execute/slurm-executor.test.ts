import { execFile, execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { point, temporaryFolders, writeGeoJson } from "../../testing/folders.ts";
import { hashTree } from "../../testing/hash-tree.ts";
import { writeSmallSources } from "../../testing/small-sources.ts";
import { withTooLittleMemory } from "../../testing/too-little-memory.ts";
import { verifyDataset } from "../../tools/verify/verify.ts";
import { buildDataset } from "../dataset/build.ts";
import { slurmExecutor } from "./slurm-executor.ts";

const run = promisify(execFile);
const CLUSTER = "pipeline/builder/execute/testing/local-cluster.sh";
const NODES = 3;

vi.setConfig({ testTimeout: 400_000 });

const newFolder = temporaryFolders();
const isRoot = process.getuid?.() === 0;
const canInstall = existsSync("/usr/bin/apt-get") || existsSync("/usr/sbin/slurmctld");
if (!isRoot || !canInstall) console.warn("Slurm is not tested: a cluster needs root, and Debian's packages");

/** Small, so that every stage has several tasks. */
const TASK_ROWS = 250;
/** Small, so that several tasks publish. */
const SHARE_BYTES = 4 * 2 ** 20;

let cluster: string;
let expected: string[];
let sources: string;

beforeAll(async () => {
  if (!isRoot || !canInstall) return;
  cluster = await newFolder();
  sources = await newFolder();
  await writeSmallSources(sources);
  execFileSync(CLUSTER, ["up", cluster, String(NODES)], { stdio: ["ignore", "ignore", "inherit"] });
  vi.stubEnv("SLURM_CONF", join(cluster, "slurm.conf"));
  const out = await newFolder();
  await buildDataset({ sources: [sources], out, taskRows: TASK_ROWS });
  expected = await hashTree(out);
});

afterAll(async () => {
  if (cluster) await run(CLUSTER, ["down", cluster]);
  vi.unstubAllEnvs();
});

test.skipIf(!isRoot || !canInstall)(
  "a cluster gives the same bytes, also if a stage runs out of memory first and a node is lost",
  async () => {
    const out = join(await newFolder(), "dataset");
    let lost: string | undefined;
    const loseNode = async (): Promise<void> => {
      const { stdout } = await run("squeue", ["--noheader", "--states=RUNNING", "--format=%N"]);
      const [node] = stdout.split("\n").filter((name) => name !== "");
      if (node === undefined || lost !== undefined) return;
      lost = node;
      await run(CLUSTER, ["kill-node", cluster, node]);
    };
    let done = 0;
    const stages = new Set<string>();
    const onProgress = ({ stage }: { stage: string }) => {
      stages.add(stage);
      if (++done >= 3 && lost === undefined) void loseNode();
    };
    const executor = withTooLittleMemory(slurmExecutor(), "survey", 1);
    const memoryBytes = 2 ** 31;
    await mkdir(out, { recursive: true });
    const shares = { taskRows: TASK_ROWS, shareBytes: SHARE_BYTES };
    await buildDataset({ ...shares, sources: [sources], out, executor, memoryBytes, threads: 1, onProgress });
    expect(lost).toMatch(/^n[1-3]$/);
    expect(stages).toContain("publish");
    expect(await hashTree(out)).toEqual(expected);
    expect((await verifyDataset(out)).flatMap(({ faults }) => faults)).toEqual([]);
    const log = await readFile(join(cluster, "log/slurmctld.log"), "utf8");
    expect(log).toMatch(new RegExp(`[Nn]odes? ${lost} not responding`));
  },
);

test.skipIf(!isRoot || !canInstall)("a failed task ends the build with its message", async () => {
  const [broken, out] = [await newFolder(), join(await newFolder(), "dataset")];
  const path = await writeGeoJson(broken, "water.geojson", [point("a", 7.42, 43.73)]);
  await truncate(path, (await stat(path)).size - 2);
  const build = buildDataset({ sources: [broken], out, executor: slurmExecutor(), memoryBytes: 2 ** 30, threads: 1 });
  await expect(build).rejects.toThrow(/water\.geojson: not valid JSON/);
  // Jobs of later stages are cancelled.
  await expect.poll(async () => (await run("squeue", ["--noheader"])).stdout, { timeout: 30_000 }).toBe("");
});
