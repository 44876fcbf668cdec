import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { temporaryFolders } from "../../testing/folders.ts";
import { type DatasetLock, type LockOptions, lockDataset } from "./lock.ts";

const newFolder = temporaryFolders();
const lockFile = (dataset: string) => join(dataset, ".build.lock");

const FAST: LockOptions = { heartbeatMs: 20, staleMs: 400 };

/** The content of a lock of this process. */
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

test("a second build is refused until the first releases the lock", async () => {
  const dataset = await newFolder();
  const lock = await lockDataset(dataset);
  const said = `${lockFile(dataset)}: process ${process.pid} on ${hostname()} is building this dataset`;
  await expect(lockDataset(dataset)).rejects.toThrow(said);
  await lock.assertHeld();
  await lock.release();
  await (await lockDataset(dataset)).release();
  expect(await readdir(dataset)).toEqual([]);
});

test("of many concurrent builds one gets the lock", async () => {
  const dataset = await newFolder();
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataset(dataset)));
  expect(fulfilled(settled)).toHaveLength(1);
});

test.each([
  ["this system's", {}],
  ["another machine's", { host: "elsewhere", system: "another boot" }],
])("of many builds that find %s lock of a dead process one gets it", async (_, where) => {
  const dataset = await newFolder();
  await leaveLock(dataset, { begun: "1", ...where });
  const settled = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataset(dataset, FAST)));
  const [lock, ...others] = fulfilled(settled);
  expect(others).toEqual([]);
  await lock?.assertHeld();
  expect(await readdir(dataset)).toEqual([".build.lock"]);
  await lock?.release();
});

test("the lock of a dead process is taken over, also if another process has its pid now", async () => {
  const dataset = await newFolder();
  const gone = spawn("true");
  await once(gone, "exit");
  for (const pid of [gone.pid, process.pid]) {
    await leaveLock(dataset, { pid, begun: "1" });
    // This system can look up the process, so it does not wait.
    const lock = await lockDataset(dataset, { onWait: (message) => expect.unreachable(message) });
    expect(JSON.parse(await readFile(lockFile(dataset), "utf8")).begun).not.toBe("1");
    await lock.release();
  }
});

test("another machine's lock is respected while it is renewed, and taken over when it is not", async () => {
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

test("a build renews its lock while it runs", async () => {
  const dataset = await newFolder();
  const lock = await lockDataset(dataset, FAST);
  const text = await readFile(lockFile(dataset), "utf8");
  // Another machine, which cannot look up the process, reads the same file.
  const seen = text.replace(hostname(), "elsewhere");
  await writeFile(lockFile(dataset), seen);
  await expect(lockDataset(dataset, FAST)).rejects.toThrow("on elsewhere is building this dataset");
  await lock.release();
});

test("an invalid lock is watched for a limited time, and the error says how to remove it", async () => {
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

test("a build that lost its lock publishes nothing, and leaves the other's lock", async () => {
  const dataset = await newFolder();
  const first = await lockDataset(dataset, { heartbeatMs: 1e6 });
  const text = await readFile(lockFile(dataset), "utf8");
  await writeFile(lockFile(dataset), text.replace(hostname(), "elsewhere"));
  const second = await lockDataset(dataset, FAST);
  await expect(first.assertHeld()).rejects.toThrow("another build took over the lock");
  await first.release();
  await second.assertHeld();
  await second.release();
});

test("an incomplete claim does not block a build, and old leftovers are removed", async () => {
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
