import { cp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { MANIFEST_PATH, REJECTS_PATH } from "../../../data/format/paths.ts";
import type { Disk } from "../../base/disk/disk.ts";
import { filesBelow } from "../../base/disk/files.ts";
import { temporaryFolders } from "../../testing/folders.ts";
import { hashTree } from "../../testing/hash-tree.ts";
import { type Choose, type DiskState, recordDisk, writeState } from "../../testing/power-loss.ts";
import { writeSmallSources } from "../../testing/small-sources.ts";
import { verifyDataset } from "../../tools/verify/verify.ts";
import { buildDataset } from "../dataset/build.ts";
import type { Executor } from "../execute/executor.ts";
import { localExecutor } from "../execute/local-executor.ts";
import { commitTask } from "../plan/records.ts";
import { publishShare } from "../stages/publish.ts";

// Several builds and verifications, in parallel with other tests.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

/** Number of recorded states that are written to disk, verified and built upon. */
const WRITTEN_STATES = 2;

const newFolder = temporaryFolders();
const sources = { old: "", new: "" };
const wanted = { old: new Map<string, Buffer>(), new: new Map<string, Buffer>() };

/** Builds are recorded here. Checkpoints are next to the dataset. */
const DATASET = "dataset";

beforeAll(async () => {
  const small = await newFolder();
  await writeSmallSources(small);
  for (const release of ["old", "new"] as const) {
    sources[release] = await newFolder();
    await cp(join(small, "division.geojson"), join(sources[release], "division.geojson"));
    await cp(join(small, release === "old" ? "first" : "second"), sources[release], { recursive: true });
    const out = join(await newFolder(), DATASET);
    await buildDataset({ sources: [sources[release]], out });
    expect((await verifyDataset(out)).flatMap(({ faults }) => faults)).toEqual([]);
    for (const path of await filesBelow(out)) wanted[release].set(path, await readFile(join(out, path)));
  }
});

/** Outcomes of unsynced changes: lost, done without contents, half done, and random. */
function choosers(seed: number): Choose[] {
  let state = seed;
  const chance: Choose = (possibilities) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * possibilities);
  };
  // Contents have three possible outcomes, names mostly two.
  const last: Choose = (possibilities) => possibilities - 1;
  return [() => 0, last, (possibilities) => (possibilities === 3 ? 0 : 1), () => 1, chance, chance];
}

/** The releases that are complete in this state: all files that searches read. */
function wholeIn(state: DiskState): string[] {
  const manifest = state.get(join(DATASET, MANIFEST_PATH));
  return (["old", "new"] as const).filter((release) => {
    const files = [...wanted[release]].filter(
      ([path]) => /\/[0-9a-f]{16}\.\w+$/.test(path) && !path.startsWith("stac/"),
    );
    expect(files.length).toBeGreaterThan(10);
    if (!manifest?.equals(wanted[release].get(MANIFEST_PATH) ?? Buffer.of())) return false;
    return files.every(([path, content]) => state.get(join(DATASET, path))?.equals(content));
  });
}

interface Recording {
  readonly states: readonly DiskState[];
  /** Possible states after the end of the build. */
  readonly ended: readonly DiskState[];
}

interface How {
  readonly over: boolean;
  readonly across: boolean;
  readonly byTasks: boolean;
}

/** Runs tasks in this process. Tasks that publish use the recording disk. */
function publishingOn(disk: Disk): Executor {
  const others = localExecutor();
  return {
    ...others,
    carryOut: async (plan, work, onTask) => {
      for (const stage of work) {
        if (stage.name !== "publish") await others.carryOut(plan, [stage], onTask);
        for (const { task } of stage.tasks) {
          if (task.stage !== "publish") continue;
          await commitTask(plan.work, task, { content: undefined, make: () => publishShare({ plan, disk }, task) });
        }
      }
    },
  };
}

/** Builds the new release, over the old one if there is one, on a recording disk. */
async function record({ over, across, byTasks }: How): Promise<Recording> {
  const root = await newFolder();
  const out = join(root, DATASET);
  if (over) await buildDataset({ sources: [sources.old], out, keep: true });
  const states: DiskState[] = [];
  const disk = recordDisk({
    root,
    // Output of tasks is synced: see stages/publish.test.ts.
    isDurable: (path) => path.startsWith(`${DATASET}/`) || path.startsWith(`${DATASET}.build/tasks/`),
    choosers: choosers(7),
    onOperation: (possible) => states.push(...possible),
    isAcross: (from, to) => across && from.startsWith(`${DATASET}.build/`) && to.startsWith(`${DATASET}/`),
  });
  // Each task with files has one task that publishes them.
  const shares = byTasks ? { shareBytes: 1, executor: publishingOn(disk) } : {};
  await buildDataset({ sources: [sources.new], out, keep: true, disk, ...shares });
  return { states, ended: disk.states() };
}

test.each([
  ["over an older dataset", { over: true, across: false, byTasks: false }],
  ["by tasks over an older dataset, with the work on another disk", { over: true, across: true, byTasks: true }],
  ["by tasks for the first time", { over: false, across: false, byTasks: true }],
])("a power failure at any time while a build publishes %s leaves a complete dataset", async (_, how) => {
  const { states, ended } = await record(how);
  expect(states.length).toBeGreaterThan(300);
  const found = new Map<string, number>();
  for (const [index, state] of states.entries()) {
    const isEmpty = !how.over && !state.has(join(DATASET, MANIFEST_PATH));
    const whole = isEmpty ? ["none"] : wholeIn(state);
    expect(whole, `state ${index} of ${states.length}`).toHaveLength(1);
    found.set(whole[0] ?? "", (found.get(whole[0] ?? "") ?? 0) + 1);
  }
  expect([...found.keys()].sort()).toEqual(["new", how.over ? "old" : "none"]);
  for (const state of ended) expect(wholeIn(state)).toEqual(["new"]);

  for (let turn = 0; turn < WRITTEN_STATES; turn++) {
    const state = states[Math.floor(((turn + 0.5) / WRITTEN_STATES) * states.length)] ?? new Map();
    const root = await newFolder();
    await writeState(state, root);
    await expectMended(root, how.over || state.has(join(DATASET, MANIFEST_PATH)));
  }
});

/** The verifier finds no fault, and the next build repairs everything. */
async function expectMended(root: string, isThere: boolean): Promise<void> {
  const out = join(root, DATASET);
  if (isThere) {
    // These files keep their names across releases and are replaced before the manifest.
    const faults = (await verifyDataset(out)).flatMap(({ faults }) => faults);
    expect(
      faults.filter((fault) => !/no index names it|stac|catalog/.test(fault) && !fault.startsWith(REJECTS_PATH)),
    ).toEqual([]);
  }
  // The lock of a process that lost power is tested in lock.test.ts.
  await rm(join(out, ".build.lock"), { force: true });
  await buildDataset({ sources: [sources.new], out, keep: true });
  expect((await verifyDataset(out)).flatMap(({ faults }) => faults)).toEqual([]);
  expect((await hashTree(out)).length).toBe(wanted.new.size);
  expect((await readdir(out, { recursive: true })).filter((path) => /(^|\/)\./.test(path))).toEqual([]);
}
