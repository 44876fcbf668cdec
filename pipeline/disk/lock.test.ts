import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { temporaryFolders } from "../testing/folders.ts";
import { type DatasetLock, type LockOptions, lockDataset } from "./lock.ts";

const newFolder = temporaryFolders();
const lockFile = (dataset: string) => join(dataset, ".build.lock");

const FAST: LockOptions = { beatMs: 20, silentMs: 400 };

/** What a lock of this very process holds. */
async function holderHere(): Promise<Record<string, unknown>> {
  const dataset = await newFolder();
  const lock = await lockDataset(dataset);
  const holder = JSON.parse(await readFile(lockFile(dataset), "utf8"));
  await lock.release();
  return holder;
}

async function leaveLock(dataset: string, changes: Record<string, unknown>): Promise<void> {
  await writeFile(lockFile(dataset), JSON.stringify({ ...(await holderHere()), ...changes }));
}

function fulfilled(settled: readonly PromiseSettledResult<DatasetLock>[]): DatasetLock[] {
  return settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

test("one build at a time: another is refused until the first gives the folder back", async () => {
  const dataset = await newFolder();
  const lock = await lockDataset(dataset);
  const said = `${lockFile(dataset)}: process ${process.pid} on ${hostname()} is building this dataset`;
  await expect(lockDataset(dataset)).rejects.toThrow(said);
  await lock.assertHeld();
  await lock.release();
  await (await lockDataset(dataset)).release();
  expect(await readdir(dataset)).toEqual([]);
});

test("of many at once one gets it", async () => {
  const dataset = await newFolder();
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataset(dataset)));
  expect(fulfilled(settled)).toHaveLength(1);
});

test.each([
  ["this system's", {}],
  ["another machine's", { host: "elsewhere", system: "another boot" }],
])("of many that find %s lock of a process that is gone one gets it", async (_, where) => {
  const dataset = await newFolder();
  await leaveLock(dataset, { begun: "1", ...where });
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataset(dataset, FAST)));
  const [lock, ...others] = fulfilled(settled);
  expect(others).toEqual([]);
  await lock?.assertHeld();
  expect(await readdir(dataset)).toEqual([".build.lock"]);
  await lock?.release();
});

test("the lock of a process that is gone is taken over, also when its number is another's now", async () => {
  const dataset = await newFolder();
  const gone = spawn("true");
  await once(gone, "exit");
  for (const pid of [gone.pid, process.pid]) {
    await leaveLock(dataset, { pid, begun: "1" });
    // not watched: this system knows
    const lock = await lockDataset(dataset, { onWait: (message) => expect.unreachable(message) });
    expect(JSON.parse(await readFile(lockFile(dataset), "utf8")).begun).not.toBe("1");
    await lock.release();
  }
});

test("another machine's lock stands while it gives signs of life, and is taken over when it gives none", async () => {
  const dataset = await newFolder();
  await leaveLock(dataset, { pid: 1, host: "elsewhere", system: "another boot" });
  const waits: string[] = [];
  let beats = 0;
  const living = (async () => {
    for (; waits.length < 2; beats++) {
      await utimes(lockFile(dataset), beats, beats);
      await setTimeout(20);
    }
  })();
  const onWait = (message: string) => waits.push(message);
  await expect(lockDataset(dataset, { ...FAST, onWait })).rejects.toThrow(
    `${lockFile(dataset)}: process 1 on elsewhere is building this dataset`,
  );
  expect(waits).toEqual([expect.stringMatching(/process 1 on elsewhere .*; waiting up to 0\.4 s for a sign of life$/)]);
  waits.push("and its machine is gone");
  await living;
  const lock = await lockDataset(dataset, { ...FAST, onWait });
  expect(waits).toHaveLength(3);
  await lock.assertHeld();
  await lock.release();
});

test("a build gives signs of life for as long as it has the folder", async () => {
  const dataset = await newFolder();
  const lock = await lockDataset(dataset, FAST);
  const text = await readFile(lockFile(dataset), "utf8");
  // another machine, to which its process is unknown, finds the same file
  const seen = text.replace(hostname(), "elsewhere");
  await writeFile(lockFile(dataset), seen);
  await expect(lockDataset(dataset, FAST)).rejects.toThrow("on elsewhere is building this dataset");
  await lock.release();
});

test("what is no lock of ours is waited for, not for ever, and named with the way out", async () => {
  const cases: [put: (path: string) => Promise<unknown>, said: string][] = [
    [(path) => writeFile(path, ""), "it is empty"],
    [(path) => writeFile(path, '{"pid": 12'), '{"pid": 12'],
    [(path) => writeFile(path, "null"), "null"],
    [(path) => writeFile(path, '{"owner": "another program"}'), '{"owner": "another program"}'],
    [(path) => mkdir(path), "it is no file"],
    [(path) => symlink("nowhere", path), "it is no file"],
  ];
  for (const [put, said] of cases) {
    const dataset = await newFolder();
    await put(lockFile(dataset));
    await expect(lockDataset(dataset, FAST)).rejects.toThrow(
      `${lockFile(dataset)}: names no build: ${said}; if no build runs, remove that file and build again`,
    );
    expect(await readdir(dataset)).toEqual([".build.lock"]);
  }
});

test("who was taken for gone publishes nothing, and leaves the other's lock", async () => {
  const dataset = await newFolder();
  const first = await lockDataset(dataset, { beatMs: 1e6 });
  const text = await readFile(lockFile(dataset), "utf8");
  await writeFile(lockFile(dataset), text.replace(hostname(), "elsewhere"));
  const second = await lockDataset(dataset, FAST);
  await expect(first.assertHeld()).rejects.toThrow("another build took this one for gone");
  await first.release();
  await second.assertHeld();
  await second.release();
});

test("a claim that was cut off is no obstacle, and leftovers of long ago go", async () => {
  const dataset = await newFolder();
  await leaveLock(dataset, { begun: "1" });
  const { id } = JSON.parse(await readFile(lockFile(dataset), "utf8"));
  const claim = `${lockFile(dataset)}.after-${id}`;
  await writeFile(claim, JSON.stringify({ ...(await holderHere()), host: "elsewhere", id: "gone too" }));
  const leftover = `${lockFile(dataset)}.e4c1`;
  await writeFile(leftover, "");
  await utimes(leftover, 1, 1);
  const lock = await lockDataset(dataset, FAST);
  expect(await readdir(dataset)).toEqual([".build.lock"]);
  await lock.release();
});
